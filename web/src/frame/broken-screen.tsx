import { Component, type ComponentChildren } from 'preact'
import { words } from '../platform/i18n.js'
import { Button } from '../ui/button.js'
import { Empty } from '../ui/empty.js'
import './page.css'

interface BrokenScreenProps {
  /** Where the screen is; at another address it is tried anew. */
  path: string
  /** The part of the page that it is. */
  pane: 'list' | 'main' | 'side'
  children: ComponentChildren
}

const BOXES = { list: 'div', main: 'main', side: 'aside' } as const

/** Shows in place of a screen, or of what is beside it, whose code failed that it did: else nothing of the client would be left on the page. */
export class BrokenScreen extends Component<BrokenScreenProps, { failed_at: string | null }> {
  override state: { failed_at: string | null } = { failed_at: null }

  override componentDidCatch(error: unknown) {
    this.setState({ failed_at: this.props.path })
    // To the console, and to whoever else listens for errors that nobody caught.
    reportError(error)
  }

  override render() {
    const { common } = words()
    const { path, pane, children } = this.props
    if (this.state.failed_at !== path) return children
    const Box = BOXES[pane]
    const { title, level } =
      pane === 'main'
        ? ({ title: common.broken, level: 1 } as const)
        : ({ title: common.brokenPart, level: 2 } as const)
    return (
      <Box class="page">
        <Empty icon="warn" level={level} title={title}>
          <Button onClick={() => location.reload()}>{common.reload}</Button>
        </Empty>
      </Box>
    )
  }
}
