import { ErrorBoundary, lazy } from 'preact-iso'
import { state } from '../store.js'

const FormDialog = lazy(() => import('./form-dialog.js').then(({ FormDialog }) => FormDialog))

/** Shows the newest form that a bot opened for the person. */
export function FormHost() {
  const view = state.views.value[0]
  return <ErrorBoundary>{view ? <FormDialog key={view.id} view={view} /> : null}</ErrorBoundary>
}
