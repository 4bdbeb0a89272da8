import { handTexts } from '@cadmus/model/messages/diagram-hands'
import { allCommands } from '../../commands/registry.ts'
import { currentOffers } from '../../commands/use-commands.ts'
import { diagramKeys } from '../../diagram/diagram-keys.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { Keys } from '../../ui/Keys.tsx'
import styles from './KeysDialog.module.css'

const fixed = [
  { label: 'Save', shortcut: 'mod+s' },
  { label: 'Save All', shortcut: 'mod+shift+s' },
  { label: 'Open the context menu of a row', shortcut: 'shift+f10' },
  { label: 'Choose all rows', shortcut: 'mod+a' },
  { label: 'Delete the selection', shortcut: 'delete' },
  { label: 'Move a row up', shortcut: 'alt+up' },
  { label: 'Move a row down', shortcut: 'alt+down' },
  { label: 'Fill the cells below with the first one', shortcut: 'mod+d' },
  { label: 'Fill the chosen cells with the typed text', shortcut: 'mod+enter' },
  { label: 'Delete the chosen rows of the sheet', shortcut: 'mod+-' },
  { label: 'Next cell to look at, else next problem', shortcut: 'f8' },
  { label: 'The same cell of the next entity', shortcut: 'alt+pagedown' },
  { label: 'The same cell of the previous entity', shortcut: 'alt+pageup' },
  { label: 'Messages', shortcut: 'f6' },
  { label: 'Next difference of a comparison', shortcut: 'f7' },
  { label: 'Previous difference of a comparison', shortcut: 'shift+f7' },
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
        <KeyList lines={lines} />
        <h3 className={styles['heading']}>{handTexts.keys.heading}</h3>
        <KeyList lines={Object.values(diagramKeys)} />
      </section>
    </Dialog>
  )
}

function KeyList({ lines }: { lines: readonly { label: string; shortcut: string }[] }) {
  return (
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
  )
}
