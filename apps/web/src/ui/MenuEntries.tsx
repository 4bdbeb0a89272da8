import { Menu as Base } from '@base-ui/react/menu'
import { visibleText } from '@cadmus/model/display'
import { Check, ChevronRight } from 'lucide-react'
import type { Icon } from './Icon.ts'
import { Keys } from './Keys.tsx'
import { tip } from './Tooltip.tsx'
import { classNames } from './class-names.ts'
import styles from './Menu.module.css'

export type MenuEntry =
  | {
      kind: 'item'
      id: string
      label: string
      /** Set apart after the label. */
      detail?: string
      icon?: Icon
      shortcut?: string
      /** Reason why it is unavailable; shown below the label. */
      disabled?: string | false
      danger?: boolean
      /** Explains the label, as a tooltip. */
      hint?: string | undefined
      checked?: boolean
      /** Toggles; the menu stays open. */
      staysOpen?: boolean
      run: () => void
    }
  | { kind: 'separator'; id: string }
  | { kind: 'heading'; id: string; label: string; detail?: string }
  | { kind: 'note'; id: string; label: string }
  | { kind: 'submenu'; id: string; label: string; icon?: Icon; entries: readonly MenuEntry[] }

export function MenuEntries({ entries }: { entries: readonly MenuEntry[] }) {
  return entries.map(entry => <Entry key={entry.id} entry={entry} />)
}

function Entry({ entry }: { entry: MenuEntry }) {
  if (entry.kind === 'separator') return <Base.Separator className={styles['separator']} />
  if (entry.kind === 'heading')
    return (
      <div className={styles['heading']}>
        <strong>{visibleText(entry.label)}</strong>
        {entry.detail && <span>{visibleText(entry.detail)}</span>}
      </div>
    )
  if (entry.kind === 'note') return <div className={styles['note']}>{visibleText(entry.label)}</div>
  const Symbol = entry.icon
  if (entry.kind === 'submenu')
    return (
      <Base.SubmenuRoot>
        <Base.SubmenuTrigger className={styles['item']}>
          <span className={styles['icon']}>{Symbol && <Symbol size={14} aria-hidden />}</span>
          <span className={styles['label']}>{visibleText(entry.label)}</span>
          <ChevronRight size={14} aria-hidden />
        </Base.SubmenuTrigger>
        <Base.Portal>
          <Base.Positioner className={styles['positioner']} sideOffset={-2} alignOffset={-5}>
            <Base.Popup className={styles['popup']}>
              <MenuEntries entries={entry.entries} />
            </Base.Popup>
          </Base.Positioner>
        </Base.Portal>
      </Base.SubmenuRoot>
    )
  return (
    <Base.Item
      data-tour={entry.id}
      disabled={Boolean(entry.disabled)}
      onClick={entry.run}
      closeOnClick={entry.staysOpen !== true}
      className={classNames(styles['item'], entry.danger && styles['danger'])}
      {...(entry.hint === undefined ? {} : tip(entry.hint))}
    >
      <span className={styles['icon']}>
        {entry.checked ? <Check size={14} aria-hidden /> : Symbol && <Symbol size={14} aria-hidden />}
      </span>
      <span className={styles['label']}>
        {visibleText(entry.label)}
        {entry.detail && <span className={styles['detail']}> {visibleText(entry.detail)}</span>}
        {entry.disabled && <span className={styles['reason']}>{entry.disabled}</span>}
      </span>
      {entry.shortcut && <Keys shortcut={entry.shortcut} />}
    </Base.Item>
  )
}
