import { useCallback } from 'react'
import { Button, type ButtonProps } from './Button.tsx'

const FOCUSABLE =
  ':is(a[href], button, input, select, textarea, [tabindex]:not([tabindex="-1"])):not(:disabled, [aria-disabled=true])'

type RetryButtonProps = Pick<ButtonProps, 'variant' | 'children' | 'aria-label'> & { busy: boolean; retry: () => void }

/** Reads again. The button disappears when the read succeeds: the focus then moves to the content that replaced it. */
export function RetryButton({ busy, retry, children = 'Retry', ...rest }: RetryButtonProps) {
  const keepFocus = useCallback((button: HTMLButtonElement | null) => {
    if (button === null) return undefined
    return () => {
      if (document.activeElement === button) requestAnimationFrame(focusNear(ancestorsOf(button)))
    }
  }, [])
  return (
    <Button ref={keepFocus} busy={busy} onClick={retry} {...rest}>
      {children}
    </Button>
  )
}

function ancestorsOf(element: HTMLElement): HTMLElement[] {
  const parent = element.parentElement
  return parent === null || parent === document.body ? [] : [parent, ...ancestorsOf(parent)]
}

/** Focuses the first control within the nearest remaining ancestor, unless the focus has moved elsewhere. */
function focusNear(ancestors: readonly HTMLElement[]): () => void {
  return () => {
    const active = document.activeElement
    if (active !== null && active !== document.body) return
    const near = ancestors.filter(element => element.isConnected)
    const target = near.map(element => element.querySelector<HTMLElement>(FOCUSABLE)).find(element => element !== null)
    target?.focus()
  }
}
