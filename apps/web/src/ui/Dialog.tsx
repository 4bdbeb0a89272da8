import { Dialog as Base } from '@base-ui/react/dialog'
import { visibleText } from '@cadmus/model/display'
import { X } from 'lucide-react'
import {
  createContext,
  Suspense,
  use,
  useRef,
  useState,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
} from 'react'
import { Alert } from './Alert.tsx'
import { Button, type ButtonProps } from './Button.tsx'
import { ConfirmDialog } from './ConfirmDialog.tsx'
import { useDialogFocus, useDialogMark, useReturn } from './dialog-focus.ts'
import { useEntered } from './entered.ts'
import { IconButton } from './IconButton.tsx'
import { Skeleton } from './Skeleton.tsx'
import { reasons } from './reasons.ts'
import styles from './Dialog.module.css'

const fields = 'input:not([type=file], [aria-hidden=true]), textarea, [role=combobox], [role=radio][data-checked]'

const leaving = {
  title: 'Leave without saving?',
  text: 'Your input will be lost.',
  confirmLabel: 'Leave',
}

export type DialogProps = {
  open?: boolean
  title: string
  /** One line below the title. */
  description?: ReactNode
  /** Called for Escape, the close button and, if allowed, a click on the backdrop. */
  onClose: () => void
  /** The dialog has input: closing it in any way, the browser's Back and leaving the page ask for confirmation. */
  entered?: boolean
  /** Texts of the confirmation, unless it is about input. */
  leaving?: { title: string; text: string; confirmLabel: string }
  /** Pixels; default 480. */
  width?: number
  /** Error message, shown as an alert at the top of the content. */
  error?: string | null
  onKeyDown?: (event: KeyboardEvent<HTMLElement>) => void
  footer?: ReactNode
  /** Whether a click on the backdrop closes; off for dialogs with input. */
  closeOnBackdrop?: boolean
  /** Without a close button only the footer closes the dialog. */
  closable?: boolean
  /** Prevents closing while something is being written. */
  busy?: boolean
  initialFocus?: RefObject<HTMLElement | null>
  children: ReactNode
}

const Closing = createContext<{ leave: () => void; busy: boolean }>({ leave: () => undefined, busy: false })

type CloseButtonProps = { label?: string } & Pick<ButtonProps, 'variant' | 'className' | 'disabled'>

/** The button of a footer that closes the dialog like Escape. */
export function CloseButton({ label = 'Cancel', disabled, ...button }: CloseButtonProps) {
  const { leave, busy } = use(Closing)
  return (
    <Button size="dialog" disabled={disabled ?? (busy && reasons.busy)} onClick={leave} {...button}>
      {label}
    </Button>
  )
}

/** A modal dialog: title, optional alert, content that may load lazily, footer. */
export function Dialog(props: DialogProps) {
  const {
    open = true,
    title,
    description,
    onClose,
    width = 480,
    error,
    footer,
    closeOnBackdrop = false,
    busy = false,
    entered = false,
  } = props
  const popup = useRef<HTMLDivElement>(null)
  const [asking, setAsking] = useState(false)
  const onFocus = useDialogFocus(popup, () => firstField(popup.current))
  const finalFocus = useReturn()
  useDialogMark(open)
  useEntered(entered, () => setAsking(true))
  const leave = () => (entered ? setAsking(true) : onClose())
  return (
    <Base.Root
      open={open}
      onOpenChange={(next, { reason }) => {
        if (next || busy) return
        // A list or menu that is only just opening has no focus yet: Escape closes it, not the dialog.
        if (reason === 'escape-key' && hasOpenList(popup.current)) return
        leave()
      }}
      disablePointerDismissal={!closeOnBackdrop}
    >
      <Base.Portal>
        <Base.Backdrop forceRender className={styles['backdrop']} />
        <Base.Viewport className={styles['viewport']}>
          <Base.Popup
            className={styles['popup']}
            style={{ width }}
            ref={popup}
            onKeyDown={event => {
              props.onKeyDown?.(event)
              pressPrimary(event)
            }}
            onFocus={onFocus}
            initialFocus={props.initialFocus ?? (() => firstField(popup.current))}
            finalFocus={finalFocus}
          >
            <header className={styles['header']}>
              <div className={styles['titles']}>
                <Base.Title className={styles['title']}>{visibleText(title)}</Base.Title>
                {description && (
                  <Base.Description className={styles['description']}>
                    {typeof description === 'string' ? visibleText(description) : description}
                  </Base.Description>
                )}
              </div>
              {props.closable !== false && (
                <IconButton label="Close" icon={X} disabled={busy && reasons.busy} onClick={leave} />
              )}
            </header>
            <div className={styles['body']}>
              {error && <Alert>{error}</Alert>}
              <Suspense fallback={<Skeleton lines={4} />}>{props.children}</Suspense>
            </div>
            {footer && (
              <footer className={styles['footer']}>
                <Closing value={{ leave, busy }}>{footer}</Closing>
              </footer>
            )}
            {asking && (
              <ConfirmDialog
                {...(props.leaving ?? leaving)}
                danger
                onConfirm={onClose}
                onCancel={() => setAsking(false)}
              />
            )}
          </Base.Popup>
        </Base.Viewport>
      </Base.Portal>
    </Base.Root>
  )
}

/** Lists and menus are rendered beside the dialog that they belong to. */
function hasOpenList(dialog: HTMLElement | null): boolean {
  return [...document.querySelectorAll('[role=listbox], [role=menu]')].some(
    list => !dialog?.contains(list) && list.closest('[data-closed]') === null,
  )
}

/** Ctrl+Enter presses the primary button from anywhere, also from a text area. */
function pressPrimary(event: KeyboardEvent<HTMLElement>): void {
  const { key, target, currentTarget, shiftKey, altKey, ctrlKey, metaKey } = event
  if (key !== 'Enter' || shiftKey || altKey || !(ctrlKey || metaKey) || event.defaultPrevented) return
  // Ignores events of overlays such as lists and confirmations.
  if (!(target instanceof HTMLElement) || !currentTarget.contains(target)) return
  const button = currentTarget.querySelector<HTMLElement>('footer [data-primary]:not([aria-disabled=true])')
  if (button === null) return
  event.preventDefault()
  // Moving the focus applies typed text, as a click would.
  button.focus()
  button.click()
}

/** The first field inside; of radio buttons without a selection, the first. */
export function fieldWithin(element: HTMLElement | null | undefined): HTMLElement | null {
  return element?.querySelector<HTMLElement>(fields) ?? element?.querySelector<HTMLElement>('[role=radio]') ?? null
}

/** The first field; without one, the dialog itself instead of its close button. */
function firstField(popup: HTMLElement | null): HTMLElement | null {
  return fieldWithin(popup?.querySelector<HTMLElement>(`.${styles['body']}`)) ?? popup
}
