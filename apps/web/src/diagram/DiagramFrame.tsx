import { viewTexts } from '@cadmus/model/messages/diagram-views'
import { Search } from 'lucide-react'
import { type ReactNode, type RefObject, useMemo, useRef, useState } from 'react'
import { useStore } from 'zustand'
import { connectionStore } from '../api/connection.ts'
import type { Command } from '../commands/command.ts'
import type { Named } from '../commands/context.ts'
import { useCommands } from '../commands/use-commands.ts'
import { Button } from '../ui/Button.tsx'
import type { DiagramEngine } from './canvas/engine.ts'
import { DiagramBody, useListPanel } from './DiagramBody.tsx'
import { DiagramCanvas } from './DiagramCanvas.tsx'
import styles from './Diagram.module.css'
import type { Camera } from './diagram.ts'
import { type DiagramContext, diagramCommands, type OtherSteps } from './diagram-commands.ts'
import { diagramKeys } from './diagram-keys.ts'
import type { DiagramState } from './diagram-state.ts'
import type { DiagramStore } from './diagram-store.ts'
import { countTexts } from './differences.ts'
import { DiagramToolbar } from './DiagramToolbar.tsx'
import { outputCommands } from './output-commands.ts'
import { WaysPanel } from './WaysPanel.tsx'

/** `isHere`: whether keys are about the diagram now, and not about the sheet beside it. */
type FindContext = { pane: RefObject<HTMLElement | null>; isHere: () => boolean }

const findCommands: readonly Command<FindContext>[] = [
  {
    id: 'diagram.find',
    label: viewTexts.find.label,
    icon: Search,
    shortcut: diagramKeys.find.shortcut,
    visible: ({ isHere }) => isHere(),
    run: ({ pane }) => pane.current?.querySelector<HTMLElement>('search input')?.focus(),
  },
]

export type DiagramFrameProps = {
  /** Name of what is shown. */
  label: string
  store: DiagramStore
  /** The manifest shown; null: the entities around one. */
  manifest: Named | null
  /** Why no relationship can be drawn; null if it can. */
  locked: string | null
  /** Of a comparison: how opening what a card stands for is called. */
  openLabel?: string | undefined
  views?: ReactNode
  /** Steps that were not made in the diagram. */
  others?: OtherSteps | null
  /** Saves what is shown as a view. */
  onSave?: (() => void) | undefined
  cameraOf: (view: string) => Camera | undefined
  onRested: (view: string, camera: Camera) => void
}

/** Toolbar, picture, notes and status line of a diagram. */
export function DiagramFrame({ label, store, manifest, locked, ...props }: DiagramFrameProps) {
  const { openLabel, views, others = null, onSave, cameraOf, onRested } = props
  const list = useListPanel(manifest ? 'list' : 'besideList')
  const state = useStore(store.state)
  const [engine, setEngine] = useState<DiagramEngine | null>(null)
  const [zoom, setZoom] = useState<number | null>(null)
  const pane = useRef<HTMLElement>(null)
  const isAlone = manifest !== null
  const context = useMemo<DiagramContext>(() => {
    const takesUndo = () => isAlone || (pane.current?.contains(document.activeElement) ?? false)
    return { label, store, state, canvas: engine, takesUndo, others }
  }, [label, store, state, engine, isAlone, others])
  useCommands(diagramCommands, context)
  useCommands(outputCommands, context)
  const finding = useMemo<FindContext>(() => ({ pane, isHere: context.takesUndo }), [context])
  useCommands(findCommands, finding)

  function rested(view: string, camera: Camera) {
    setZoom(camera.zoom)
    onRested(view, camera)
  }

  function find(card: number, isMore: boolean) {
    if (state.picture.hidden.has(card)) store.setHidden([card], false)
    store.lookAt(isMore ? [...state.picture.chosen, card] : [card])
    store.focus(card)
    // The keys of the diagram act on what is chosen.
    if (isMore) pane.current?.querySelector<HTMLElement>('[role=application]')?.focus()
  }

  return (
    // Escape is heard from all controls of the pane.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <section
      ref={pane}
      className={styles['pane']}
      aria-label={viewTexts.pane(label)}
      onKeyDown={event => {
        if (event.key === 'Escape' && state.preview) store.dropPreview()
      }}
    >
      <DiagramToolbar context={context} views={views} list={list} onFound={find} />
      <Notes store={store} state={state} onSave={onSave} />
      <div className={styles['body']}>
        <DiagramBody
          label={label}
          context={context}
          engine={engine}
          manifest={manifest}
          locked={locked}
          openLabel={openLabel}
          list={list}
        >
          <DiagramCanvas store={store} cameraOf={cameraOf} onRested={rested} onEngine={setEngine} />
        </DiagramBody>
        {state.isArranging && <output className={styles['arranging']}>{viewTexts.arranging}</output>}
        {state.ways && <WaysPanel store={store} ways={state.ways} />}
      </div>
      <StatusLine state={state} zoom={zoom} />
    </section>
  )
}

/** What is shown for now only: a preview, or a view that is not saved. */
function Notes({
  store,
  state,
  onSave,
}: {
  store: DiagramStore
  state: DiagramState
  onSave: (() => void) | undefined
}) {
  const { preview, session, isTemporary } = state
  if (preview)
    return (
      <div className={styles['note']}>
        <span>{viewTexts.preview.note}</span>
        <Button variant="primary" onClick={() => store.takePreview()}>
          {viewTexts.preview.take}
        </Button>
        <Button onClick={() => store.dropPreview()}>{viewTexts.preview.drop}</Button>
      </div>
    )
  if (!isTemporary) return null
  return (
    <div className={styles['note']}>
      <span>{viewTexts.unsavedView(session.stored.name)}</span>
      {onSave && <Button onClick={onSave}>{viewTexts.commands.saveView}</Button>}
      <Button onClick={() => store.showAll()}>{viewTexts.backToAll}</Button>
    </div>
  )
}

function StatusLine({ state, zoom }: { state: DiagramState; zoom: number | null }) {
  const { cards, picture, marksProblems, isWaiting } = state
  const isAway = useStore(connectionStore, ({ away }) => away)
  const { status } = viewTexts
  const problems = [...picture.marks.values()].filter(mark => mark === 'problem')
  const parts = [
    status.entities(cards.scene.count),
    ...countTexts(cards.differences.cards).map(({ text }) => text),
    ...(picture.hidden.size > 0 ? [status.hidden(picture.hidden.size)] : []),
    ...(picture.chosen.size > 0 ? [status.chosen(picture.chosen.size)] : []),
    ...(cards.draftRows.size > 0 ? [status.unsaved(cards.draftRows.size)] : []),
    ...(marksProblems ? [status.problems(problems.length)] : []),
    ...(isWaiting ? [isAway ? status.away : status.waiting] : []),
  ]
  return (
    <div className={styles['status']}>
      <output aria-label={status.label}>{parts.join(' · ')}</output>
      {zoom !== null && (
        <span>
          <span className="visually-hidden">{status.zoomLabel} </span>
          {status.zoom(zoom)}
        </span>
      )}
    </div>
  )
}
