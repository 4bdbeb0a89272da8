import { Toolbar as Base } from '@base-ui/react/toolbar'
import type { ReactElement, ReactNode } from 'react'
import styles from './Toolbar.module.css'

/** A row of buttons with one tab stop and arrow keys between them. */
export function Toolbar({ label, children }: { label: string; children: ReactNode }) {
  return (
    <Base.Root aria-label={label} className={styles['toolbar']}>
      {children}
    </Base.Root>
  )
}

/** A Button or IconButton as part of a toolbar. */
export function ToolbarButton({ render }: { render: ReactElement }) {
  return <Base.Button render={render} />
}

export function ToolbarSeparator() {
  return <Base.Separator className={styles['separator']} />
}
