import { Component, type ReactNode } from 'react'
import { ErrorState } from './ErrorState.tsx'

type BoundaryProps = {
  children: ReactNode
  /** Called instead of showing the error, to remove the failed part. */
  onFailure?: () => void
}

/** Limits an error to the failed part of the page and offers a retry. */
export class Boundary extends Component<BoundaryProps, { error: Error | null }> {
  override state: { error: Error | null } = { error: null }

  static getDerivedStateFromError(error: unknown) {
    return { error: error instanceof Error ? error : new Error('Unexpected error') }
  }

  override componentDidCatch() {
    this.props.onFailure?.()
  }

  override render() {
    if (!this.state.error) return this.props.children
    if (this.props.onFailure) return null
    return <ErrorState message={this.state.error.message} onRetry={() => this.setState({ error: null })} />
  }
}
