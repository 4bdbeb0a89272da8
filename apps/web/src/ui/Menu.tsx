import { Menu as Base } from '@base-ui/react/menu'
import type { ReactElement } from 'react'
import { MenuEntries, type MenuEntry } from './MenuEntries.tsx'
import styles from './Menu.module.css'

export type MenuProps = {
  /** The button that opens it; takes a ref. */
  trigger: ReactElement
  entries: readonly MenuEntry[]
  align?: 'start' | 'center' | 'end'
}

/** A menu that a button opens. */
export function Menu({ trigger, entries, align = 'end' }: MenuProps) {
  return (
    <Base.Root modal={false}>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner align={align} sideOffset={4} className={styles['positioner']}>
          <Base.Popup className={styles['popup']}>
            <MenuEntries entries={entries} />
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}
