import { Autocomplete } from '@base-ui/react/autocomplete'
import { Dialog } from '@base-ui/react/dialog'
import { limits } from '@cadmus/model/limits'
import { visibleText } from '@cadmus/model/display'
import { ChevronRight, Columns3, Package2, Table2, SlidersVertical } from 'lucide-react'
import { useEffect, useEffectEvent, useState, type KeyboardEvent } from 'react'
import { currentOffers } from '../../commands/use-commands.ts'
import { useAppContext } from '../../commands/use-app-context.ts'
import { Keys } from '../../ui/Keys.tsx'
import { useDebounced } from '../../ui/use-debounced.ts'
import { UnreadAlert } from '../../ui/UnreadAlert.tsx'
import { holdTyping } from '../../workbench/type-ahead.ts'
import { linesFor, useServerMatches, type PaletteLine } from './palette-lines.ts'
import styles from './Palette.module.css'

const icons = {
  entity: Table2,
  manifest: Package2,
  configuration: SlidersVertical,
  attribute: Columns3,
  command: ChevronRight,
}

/** Milliseconds until the opened document or dialog handles keys. */
const opening = 100

export function Palette({ onClose }: { onClose: () => void }) {
  const [text, setText] = useState('')
  const [offers] = useState(() => currentOffers().filter(offer => offer.id !== 'page.palette'))
  const typed = text.trim()
  const rested = useDebounced(typed, limits.searchDebounce)
  // Enter searches at once instead of waiting for the debounce.
  const [submitted, setSubmitted] = useState<string | null>(null)
  const searched = submitted === typed ? typed : rested
  const matches = useServerMatches(searched)
  const pending = typed !== '' && (searched !== typed || matches.pending)
  // Once moved through by arrow keys, lines keep their order, and Enter runs the marked one.
  const [pinned, setPinned] = useState<readonly string[]>([])
  const context = useAppContext()
  // Pages without documents offer no commands on documents.
  const hasDocuments = offers.some(({ id }) => id === 'toolbar.import')
  const lines = linesFor(text, offers, matches, { pinned, context: hasDocuments ? context : undefined })

  const answered = useEffectEvent(() => {
    const [best] = lines
    if (best && submitted === typed && !pending) run(best)
  })
  useEffect(() => answered(), [submitted, pending])

  function key(event: KeyboardEvent) {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') setPinned(lines.map(line => line.id))
    if (event.key !== 'Enter' || !pending || pinned.length > 0) return
    // The marked line belongs to the previous search.
    event.preventDefault()
    event.stopPropagation()
    setSubmitted(typed)
  }

  function type(next: string) {
    setText(next)
    setPinned([])
    setSubmitted(null)
  }

  function run(line: PaletteLine) {
    onClose()
    holdTyping(opening)
    // The dialog must close before the next one opens, else the focus returns to the wrong place.
    requestAnimationFrame(line.run)
  }

  return (
    <Dialog.Root open onOpenChange={open => (open ? null : onClose())}>
      <Dialog.Portal>
        <Dialog.Backdrop className={styles['backdrop']} />
        <Dialog.Popup className={styles['popup']} aria-label="Search or run a command" onKeyDownCapture={key}>
          <Autocomplete.Root
            items={lines}
            open
            inline
            autoHighlight="always"
            mode="none"
            value={text}
            onValueChange={type}
            itemToStringValue={(line: PaletteLine) => line.label}
          >
            <Autocomplete.Input
              className={styles['input']}
              aria-label="Search or run a command"
              placeholder="Search entities, attributes, manifests and commands"
            />
            <Autocomplete.List className={styles['list']}>
              {(line: PaletteLine) => (
                <Autocomplete.Item key={line.id} value={line} className={styles['item']} onClick={() => run(line)}>
                  <LineIcon kind={line.kind} />
                  <span className={styles['label']}>{visibleText(line.label)}</span>
                  <span className={styles['detail']}>{visibleText(line.detail)}</span>
                  {line.shortcut && <Keys shortcut={line.shortcut} />}
                </Autocomplete.Item>
              )}
            </Autocomplete.List>
            <Autocomplete.Empty className={styles['empty']}>
              {matches.failure ? null : 'Nothing found'}
            </Autocomplete.Empty>
          </Autocomplete.Root>
          {matches.failure && <UnreadAlert failure={matches.failure} />}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

function LineIcon({ kind }: Pick<PaletteLine, 'kind'>) {
  const Symbol = icons[kind]
  return <Symbol size={14} aria-hidden />
}
