import { handTexts } from '@cadmus/model/messages/diagram-hands'
import { ListTree } from 'lucide-react'
import { type ReactNode, useMemo, useRef, useState } from 'react'
import { ownSettings, storeOwnSettings } from '../api/own-settings.ts'
import type { Command } from '../commands/command.ts'
import { useCommands } from '../commands/use-commands.ts'
import { Splitter } from '../ui/Splitter.tsx'
import type { DiagramEngine } from './canvas/engine.ts'
import type { DiagramContext } from './diagram-commands.ts'
import { diagramKeys } from './diagram-keys.ts'
import { DiagramList } from './DiagramList.tsx'
import { DiagramSurface, HandsAnnouncer } from './DiagramSurface.tsx'
import { type HandsInput, useDiagramHands } from './use-diagram-hands.ts'
import styles from './Hands.module.css'

type DiagramBodyProps = Omit<HandsInput, 'context'> & {
  label: string
  context: Omit<DiagramContext, 'canvas'>
  engine: DiagramEngine | null
  list: ListPanel
  /** The canvas. */
  children: ReactNode
}

/** The list beside a diagram: whether it is open, and its width. */
export type ListPanel = {
  isOpen: boolean
  toggle: () => void
  width: number
  resize: (width: number) => void
}

const widths = { least: 200, most: 640, first: 300 } as const

/** `name`: each place of a diagram has a list of its own, as there is more or less room for it. */
export function useListPanel(name: 'list' | 'besideList'): ListPanel {
  const [settings] = useState(() => ownSettings('diagrams'))
  const [isOpen, setOpen] = useState(settings[name] === true)
  const [width, setWidth] = useState(() => {
    const stored = Number(settings[`${name}Width`])
    return stored >= widths.least && stored <= widths.most ? stored : widths.first
  })
  return {
    isOpen,
    width,
    toggle() {
      storeOwnSettings('diagrams', { [name]: !isOpen })
      setOpen(!isOpen)
    },
    resize(next) {
      storeOwnSettings('diagrams', { [`${name}Width`]: next })
      setWidth(next)
    },
  }
}

/** Opens the list, or goes from the canvas to it and back. */
export const listCommand: Command<{ list: ListPanel; go?: () => void }> = {
  id: 'diagram.list',
  label: handTexts.listButton,
  icon: ListTree,
  shortcut: diagramKeys.list.shortcut,
  run: ({ list, go }) => (go ? go() : list.toggle()),
}

const listCommands = [listCommand]

/** Picture and list of a diagram, with what pointers and keys do in both. */
export function DiagramBody({ label, context, engine, list, children, ...hand }: DiagramBodyProps) {
  const { locked } = hand
  const { store, state } = context
  const { hands, entriesFor } = useDiagramHands({ context: { ...context, canvas: engine }, ...hand })
  const aside = useRef<HTMLDivElement>(null)
  const whole = useRef<HTMLDivElement>(null)
  const commandContext = useMemo(() => ({ list, go: () => goToList(list, aside, whole) }), [list])
  useCommands(listCommands, commandContext)
  return (
    <div ref={whole} className={styles['frame']}>
      {list.isOpen && (
        <>
          <div ref={aside} className={styles['list']} style={{ width: list.width }}>
            <DiagramList
              label={label}
              picture={state.picture}
              actions={store}
              hands={hands}
              needRows={cards => store.needRows(cards)}
              entriesFor={entriesFor}
              onReveal={card => engine?.reveal(card)}
            />
          </div>
          <Splitter
            label={handTexts.listWidth}
            size={list.width}
            min={widths.least}
            max={widths.most}
            panel="before"
            onResize={list.resize}
          />
        </>
      )}
      <DiagramSurface
        label={label}
        engine={engine}
        hands={hands}
        props={() => ({ picture: store.get().picture, actions: store, locked })}
        entriesFor={entriesFor}
      >
        {children}
      </DiagramSurface>
      <HandsAnnouncer hands={hands} />
    </div>
  )
}

type Element = { readonly current: HTMLElement | null }

function goToList(list: ListPanel, aside: Element, whole: Element): void {
  const isInList = aside.current?.contains(document.activeElement) ?? false
  if (!list.isOpen) list.toggle()
  // The list has its rows after the next render.
  requestAnimationFrame(() => {
    const to = isInList ? '[role=application]' : '[role=treegrid] [role=row][tabindex="0"]'
    whole.current?.querySelector<HTMLElement>(to)?.focus()
  })
}
