import type { ButtonHTMLAttributes, Ref } from 'react'
import { LoaderCircle } from 'lucide-react'
import type { Icon } from './Icon.ts'
import { classNames } from './class-names.ts'
import styles from './Button.module.css'

export type ButtonProps = Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'disabled'> & {
  /** primary: the one main action of a screen; danger: deletes. */
  variant?: 'primary' | 'secondary' | 'quiet' | 'danger'
  size?: 'normal' | 'dialog'
  icon?: Icon
  /** Shows a spinner in the button and takes no presses meanwhile. */
  busy?: boolean
  /** true, or the reason, which then is the button's tooltip. */
  disabled?: boolean | string
  ref?: Ref<HTMLButtonElement>
}

/** A button with words. */
export function Button(props: ButtonProps) {
  const { variant = 'secondary', size = 'normal', icon: Symbol, busy, disabled, className, children, ...rest } = props
  const off = disabled !== undefined && disabled !== false && disabled !== ''
  return (
    <button
      type="button"
      data-primary={variant === 'primary' ? '' : undefined}
      {...rest}
      // A disabled button that gives its reason must be reachable, so that the reason is.
      disabled={off && typeof disabled !== 'string'}
      aria-disabled={off || busy || undefined}
      aria-busy={busy || undefined}
      title={typeof disabled === 'string' && off ? disabled : rest.title}
      onClick={off || busy ? event => event.preventDefault() : rest.onClick}
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
