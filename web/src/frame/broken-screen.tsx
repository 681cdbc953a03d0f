import { Component, type ComponentChildren } from 'preact'
import { words } from '../platform/i18n.js'
import { Button } from '../ui/button.js'
import { Empty } from '../ui/empty.js'
import './page.css'

interface BrokenScreenProps {
  /** Where the screen is; at another address it is tried anew. */
  path: string
  children: ComponentChildren
}

/** Shows in place of a screen whose code failed that it did: else nothing of the client would be left on the page. */
export class BrokenScreen extends Component<BrokenScreenProps, { failed_at: string | null }> {
  override state: { failed_at: string | null } = { failed_at: null }

  override componentDidCatch(error: unknown) {
    this.setState({ failed_at: this.props.path })
    // To the console, and to whoever else listens for errors that nobody caught.
    reportError(error)
  }

  override render() {
    const { common } = words()
    if (this.state.failed_at !== this.props.path) return this.props.children
    return (
      <main class="page">
        <Empty icon="warn" level={1} title={common.broken}>
          <Button onClick={() => location.reload()}>{common.reload}</Button>
        </Empty>
      </main>
    )
  }
}
