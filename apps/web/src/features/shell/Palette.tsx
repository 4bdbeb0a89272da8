import { Autocomplete } from '@base-ui/react/autocomplete'
import { Dialog } from '@base-ui/react/dialog'
import { visibleText } from '@cadmus/model/display'
import { limits } from '@cadmus/model/limits'
import { paletteTexts } from '@cadmus/model/messages/palette'
import type { Mark } from '@cadmus/model/search/match-text'
import {
  AlignLeft,
  ChevronRight,
  Columns3,
  KeyRound,
  ListChecks,
  Package2,
  SlidersVertical,
  Spline,
  Table2,
} from 'lucide-react'
import { Fragment, useEffect, useEffectEvent, useState, type KeyboardEvent, type MouseEvent } from 'react'
import { currentOffers } from '../../commands/use-commands.ts'
import { useAppContext } from '../../commands/use-app-context.ts'
import { Keys } from '../../ui/Keys.tsx'
import { useDebounced } from '../../ui/use-debounced.ts'
import { UnreadAlert } from '../../ui/UnreadAlert.tsx'
import { holdTyping } from '../../workbench/type-ahead.ts'
import { linesFor, useServerMatches } from './palette-lines.ts'
import type { PaletteLine } from './palette-places.ts'
import { recordCommand } from './recent-commands.ts'
import styles from './Palette.module.css'

const icons = {
  entity: Table2,
  manifest: Package2,
  configuration: SlidersVertical,
  attribute: Columns3,
  relationship: Spline,
  choice: ListChecks,
  scope: KeyRound,
  description: AlignLeft,
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
  const [submitted, setSubmitted] = useState<{ text: string; beside: boolean } | null>(null)
  const searched = submitted?.text === typed ? typed : rested
  const matches = useServerMatches(searched)
  const pending = typed !== '' && (searched !== typed || matches.pending)
  // Once moved through by arrow keys, lines keep their order, and Enter runs the marked one.
  const [pinned, setPinned] = useState<readonly string[]>([])
  // Not the line itself, which is another object after each rendering.
  const [highlightedId, setHighlightedId] = useState<string>()
  const context = useAppContext()
  // Pages without documents offer no commands on documents.
  const hasDocuments = offers.some(({ id }) => id === 'toolbar.import')
  const lines = linesFor(text, offers, matches, { pinned, context: hasDocuments ? context : undefined })
  const highlighted = lines.find(({ id }) => id === highlightedId)

  function run(line: PaletteLine, beside = false) {
    onClose()
    if (line.kind === 'command') recordCommand(line.id)
    const action = (beside && line.beside) || line.run
    if (action === line.run) holdTyping({ milliseconds: opening })
    // The dialog must close before the next one opens, else the focus returns to the wrong place.
    requestAnimationFrame(action)
  }

  const answered = useEffectEvent(() => {
    const [best] = lines
    if (best && submitted?.text === typed && !pending) run(best, submitted.beside)
  })
  useEffect(() => answered(), [submitted, pending])

  function key(event: KeyboardEvent) {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') setPinned(lines.map(line => line.id))
    if (event.key !== 'Enter') return
    const beside = event.ctrlKey || event.metaKey
    const isOutdated = pending && pinned.length === 0
    if (!isOutdated && !beside) return
    event.preventDefault()
    event.stopPropagation()
    // The marked line belongs to the previous search.
    if (isOutdated) setSubmitted({ text: typed, beside })
    else if (highlighted) run(highlighted, beside)
  }

  function type(next: string) {
    setText(next)
    setPinned([])
    setSubmitted(null)
  }

  function click(event: MouseEvent, line: PaletteLine) {
    run(line, event.ctrlKey || event.metaKey || event.button === 1)
  }

  return (
    <Dialog.Root open onOpenChange={open => (open ? null : onClose())}>
      <Dialog.Portal>
        <Dialog.Backdrop className={styles['backdrop']} />
        <Dialog.Popup className={styles['popup']} aria-label={paletteTexts.label} onKeyDownCapture={key}>
          <Autocomplete.Root
            items={lines}
            open
            inline
            autoHighlight="always"
            mode="none"
            value={text}
            onValueChange={type}
            onItemHighlighted={(line: PaletteLine | undefined) => setHighlightedId(line?.id)}
            itemToStringValue={(line: PaletteLine) => line.label}
          >
            <Autocomplete.Input
              className={styles['input']}
              aria-label={paletteTexts.label}
              placeholder={paletteTexts.placeholder}
            />
            <Autocomplete.List className={styles['list']}>
              {(line: PaletteLine) => (
                <Autocomplete.Item
                  key={line.id}
                  value={line}
                  className={styles['item']}
                  data-kind={line.kind}
                  onClick={event => click(event, line)}
                  onAuxClick={event => event.button === 1 && click(event, line)}
                >
                  <LineIcon kind={line.kind} />
                  <span className={styles['label']}>
                    <Marked text={line.label} marks={line.marks ?? []} />
                  </span>
                  <span className={styles['detail']}>{visibleText(line.detail)}</span>
                  {line.isRecent && <span className={styles['recent']}>{paletteTexts.recent}</span>}
                  {line.shortcut && <Keys shortcut={line.shortcut} />}
                </Autocomplete.Item>
              )}
            </Autocomplete.List>
            <Autocomplete.Empty className={styles['empty']}>
              {matches.failure ? null : pending ? paletteTexts.searching : paletteTexts.nothing}
            </Autocomplete.Empty>
          </Autocomplete.Root>
          {matches.failure && <UnreadAlert failure={matches.failure} />}
          {highlighted && (
            <div className={styles['hints']}>
              <Keys shortcut="enter" /> {highlighted.beside ? paletteTexts.open : paletteTexts.run}
              {highlighted.beside && (
                <>
                  <Keys shortcut="mod+enter" /> {paletteTexts.beside}
                </>
              )}
            </div>
          )}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

/** A text with its matching parts emphasized. */
function Marked({ text, marks }: { text: string; marks: readonly Mark[] }) {
  const ends = [0, ...marks.map(([, end]) => end)]
  return (
    <>
      {marks.map(([start, end], index) => (
        <Fragment key={start}>
          {visibleText(text.slice(ends[index], start))}
          <mark>{visibleText(text.slice(start, end))}</mark>
        </Fragment>
      ))}
      {visibleText(text.slice(ends.at(-1)))}
    </>
  )
}

function LineIcon({ kind }: Pick<PaletteLine, 'kind'>) {
  const Symbol = icons[kind]
  return <Symbol size={14} aria-hidden />
}
