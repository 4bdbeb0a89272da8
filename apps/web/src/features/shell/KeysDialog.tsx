import { allCommands } from '../../commands/registry.ts'
import { currentOffers } from '../../commands/use-commands.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { Keys } from '../../ui/Keys.tsx'
import styles from './KeysDialog.module.css'

const fixed = [
  { label: 'Save', shortcut: 'mod+s' },
  { label: 'Open the context menu of a row', shortcut: 'shift+f10' },
  { label: 'Delete the selection', shortcut: 'delete' },
  { label: 'Move a row up', shortcut: 'alt+up' },
  { label: 'Move a row down', shortcut: 'alt+down' },
  { label: 'Messages', shortcut: 'f6' },
]

export function KeysDialog({ onClose }: { onClose: () => void }) {
  const page = allCommands().flatMap(({ label, shortcut }) =>
    typeof label === 'string' && shortcut ? [{ label, shortcut }] : [],
  )
  const inner = currentOffers().flatMap(({ label, shortcut }) => (shortcut ? [{ label, shortcut }] : []))
  const lines = [...new Map([...page, ...inner, ...fixed].map(line => [line.shortcut, line])).values()]
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose} closeOnBackdrop>
      {/* Focusable so that the keyboard can scroll it. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <section aria-label="Keys" tabIndex={0}>
        <dl className={styles['keys']}>
          {lines.map(line => (
            <div key={line.shortcut}>
              <dt>{line.label}</dt>
              <dd>
                <Keys shortcut={line.shortcut} />
              </dd>
            </div>
          ))}
        </dl>
      </section>
    </Dialog>
  )
}
