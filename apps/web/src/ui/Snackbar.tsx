import { Toast } from '@base-ui/react/toast'
import { CircleAlert, CircleCheck, Info, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { useUiSettings } from './settings.ts'
import styles from './Snackbar.module.css'

export type SnackbarKind = 'success' | 'error' | 'info'
const icons = { success: CircleCheck, error: CircleAlert, info: Info }
const manager = Toast.createToastManager<{ kind: SnackbarKind }>()

/** Shows a message at the lower edge; errors stay twice as long. `action` is a button in it, such as Undo. */
export function notify(kind: SnackbarKind, text: string, action?: { label: string; run: () => void }): void {
  manager.add({
    title: text,
    data: { kind },
    priority: kind === 'error' ? 'high' : 'low',
    timeout: kind === 'error' ? 12_000 : 6000,
    ...(action ? { actionProps: { children: action.label, onClick: action.run } } : {}),
  })
}

/** Holds the page; at most three messages at once, F6 moves the focus to them. */
export function SnackbarProvider({ children }: { children: ReactNode }) {
  return (
    <Toast.Provider toastManager={manager} limit={useUiSettings().snackbars}>
      {children}
      <Toast.Portal>
        <Toast.Viewport className={styles['viewport']}>
          <Snackbars />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  )
}

function Snackbars() {
  const { toasts } = Toast.useToastManager<{ kind: SnackbarKind }>()
  return toasts.map(toast => {
    const kind = toast.data?.kind ?? 'info'
    const Symbol = icons[kind]
    return (
      <Toast.Root key={toast.id} toast={toast} className={styles['snackbar']} data-kind={kind}>
        <Toast.Content className={styles['content']}>
          <Symbol size={16} aria-hidden className={styles['icon']} />
          <Toast.Title className={styles['text']} render={<p />} />
          {toast.actionProps && <Toast.Action className={styles['action']} />}
          <Toast.Close aria-label="Dismiss" className={styles['close']}>
            <X size={14} aria-hidden />
          </Toast.Close>
        </Toast.Content>
      </Toast.Root>
    )
  })
}
