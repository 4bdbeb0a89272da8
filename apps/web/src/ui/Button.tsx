import type { ButtonHTMLAttributes, Ref } from 'react'
import { LoaderCircle } from 'lucide-react'
import type { Icon } from './Icon.ts'
import { disabledFor, type Reason } from './reasons.ts'
import { classNames } from './class-names.ts'
import styles from './Button.module.css'

export type ButtonProps = Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'disabled'> & {
  /** primary: the main action of a screen; danger: deletes. */
  variant?: 'primary' | 'secondary' | 'quiet' | 'danger'
  size?: 'normal' | 'dialog'
  icon?: Icon
  /** Shows a spinner and ignores clicks. */
  busy?: boolean
  /** Why it cannot be pressed, shown as its tooltip. */
  disabled?: Reason
  ref?: Ref<HTMLButtonElement>
}

export function Button(props: ButtonProps) {
  const { variant = 'secondary', size = 'normal', icon: Symbol, busy, disabled, className, children, ...rest } = props
  const reason = disabled || null
  return (
    <button
      type="button"
      data-primary={variant === 'primary' ? '' : undefined}
      {...rest}
      aria-disabled={busy || undefined}
      {...(reason === null ? {} : disabledFor(reason))}
      aria-busy={busy || undefined}
      onClick={reason !== null || busy ? event => event.preventDefault() : rest.onClick}
      className={classNames(styles['button'], styles[variant], styles[size], className)}
    >
      {busy ? (
        <LoaderCircle size={14} aria-hidden className={styles['spinner']} />
      ) : (
        Symbol && <Symbol size={14} aria-hidden />
      )}
      {children}
    </button>
  )
}
