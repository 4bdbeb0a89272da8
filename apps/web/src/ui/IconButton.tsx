import { visibleText } from '@cadmus/model/display'
import type { ButtonHTMLAttributes, Ref } from 'react'
import { LoaderCircle } from 'lucide-react'
import { disabledFor, type Reason } from './reasons.ts'
import type { Icon } from './Icon.ts'
import { tip } from './Tooltip.tsx'
import { classNames } from './class-names.ts'
import styles from './IconButton.module.css'

export type IconButtonProps = Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'disabled' | 'children'> & {
  /** Accessible name and tooltip. */
  label: string
  icon: Icon
  shortcut?: string
  busy?: boolean
  /** Why it cannot be pressed, shown in its tooltip. */
  disabled?: Reason
  danger?: boolean
  ref?: Ref<HTMLButtonElement>
}

/** A button with an icon only, at least 28 × 28 px, named by label and tooltip. */
export function IconButton(props: IconButtonProps) {
  const { label, icon: Symbol, shortcut, busy, disabled, danger, className, onClick, ...rest } = props
  const reason = disabled || null
  return (
    <button
      type="button"
      aria-label={visibleText(label)}
      aria-disabled={busy || undefined}
      aria-busy={busy || undefined}
      {...(reason === null ? tip(label, shortcut) : disabledFor(reason, label))}
      {...rest}
      onClick={reason !== null || busy ? event => event.preventDefault() : onClick}
      className={classNames(styles['button'], danger && styles['danger'], className)}
    >
      {busy ? <LoaderCircle size={16} aria-hidden className={styles['spinner']} /> : <Symbol size={16} aria-hidden />}
    </button>
  )
}
