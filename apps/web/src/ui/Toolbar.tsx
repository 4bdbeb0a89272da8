import {
  cloneElement,
  useLayoutEffect,
  useRef,
  type HTMLAttributes,
  type KeyboardEvent,
  type ReactElement,
  type ReactNode,
} from 'react'
import styles from './Toolbar.module.css'

/** A row of buttons with a single tab stop and arrow key navigation. */
export function Toolbar({ label, children }: { label: string; children: ReactNode }) {
  const bar = useRef<HTMLDivElement>(null)
  // The roving tab index is kept in the DOM because the buttons come from other components.
  useLayoutEffect(() => rove(bar.current, null))

  function key(event: KeyboardEvent) {
    const buttons = buttonsOf(bar.current)
    const at = buttons.findIndex(button => button === document.activeElement)
    const moves: Record<string, number> = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: buttons.length - 1 }
    const move = moves[event.key]
    if (move === undefined || at < 0) return
    event.preventDefault()
    buttons.at(move % buttons.length)?.focus()
  }

  return (
    <div
      ref={bar}
      role="toolbar"
      aria-label={label}
      tabIndex={-1}
      className={styles['toolbar']}
      onKeyDown={key}
      onFocus={event => rove(bar.current, event.target)}
    >
      {children}
    </div>
  )
}

type ToolbarButtonProps = HTMLAttributes<HTMLElement> & { render: ReactElement<HTMLAttributes<HTMLElement>> }

/** A Button or IconButton in a toolbar. Passes on the properties that a Menu adds to its trigger. */
export function ToolbarButton({ render, ...rest }: ToolbarButtonProps) {
  return cloneElement(render, rest)
}

function buttonsOf(bar: HTMLElement | null): HTMLButtonElement[] {
  return bar ? [...bar.querySelectorAll<HTMLButtonElement>('button:not(:disabled)')] : []
}

/** Exactly one button is a tab stop: the focused one, else the previous one, else the first. */
function rove(bar: HTMLElement | null, focused: EventTarget | null): void {
  const buttons = buttonsOf(bar)
  const chosen =
    buttons.find(button => button === focused) ?? buttons.find(button => button.dataset['stop'] === '') ?? buttons[0]
  for (const button of buttons) {
    button.tabIndex = button === chosen ? 0 : -1
    if (button === chosen) button.dataset['stop'] = ''
    else delete button.dataset['stop']
  }
}
