import type { ButtonHTMLAttributes, Ref } from 'react'
import { LoaderCircle } from 'lucide-react'
import type { Icon } from './Icon.ts'
import { classNames } from './class-names.ts'
import styles from './Button.module.css'

export type ButtonProps = Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'disabled'> & {
  /** primary: the main action of a screen; danger: deletes. */
  variant?: 'primary' | 'secondary' | 'quiet' | 'danger'
  size?: 'normal' | 'dialog'
  icon?: Icon
  /** Shows a spinner and ignores clicks. */
  busy?: boolean
  /** true, or the reason, which becomes the tooltip. */
  disabled?: boolean | string
  ref?: Ref<HTMLButtonElement>
}

export function Button(props: ButtonProps) {
  const { variant = 'secondary', size = 'normal', icon: Symbol, busy, disabled, className, children, ...rest } = props
  const off = disabled !== undefined && disabled !== false && disabled !== ''
  return (
    <button
      type="button"
      data-primary={variant === 'primary' ? '' : undefined}
      {...rest}
      // A disabled button with a reason stays focusable, so that the reason can be read.
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
