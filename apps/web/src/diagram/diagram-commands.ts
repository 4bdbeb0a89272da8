import { viewTexts } from '@cadmus/model/messages/diagram-views'
import { historyTexts } from '@cadmus/model/messages/history'
import { diagramDetails } from '@cadmus/model/diagram/view'
import {
  AlignCenterHorizontal,
  AlignCenterVertical,
  AlignEndHorizontal,
  AlignEndVertical,
  AlignHorizontalSpaceBetween,
  AlignStartHorizontal,
  AlignStartVertical,
  AlignVerticalSpaceBetween,
  Eye,
  EyeOff,
  LayoutDashboard,
  Maximize,
  Network,
  Redo2,
  Route,
  Undo2,
  ZoomIn,
  ZoomOut,
} from 'lucide-react'
import { type Command, labelOf, whyDisabled } from '../commands/command.ts'
import type { DiagramState } from './diagram-state.ts'
import type { DiagramStore } from './diagram-store.ts'
import type { HandsView } from './hands.ts'
import { nextRedo, nextUndo } from './view-session.ts'

export type DiagramContext = {
  /** The name of what is shown. */
  label: string
  store: DiagramStore
  state: DiagramState
  /** Null before the picture is there. */
  canvas: HandsView | null
  /** Whether Ctrl+Z is about the diagram now, and not about the sheet beside it. */
  takesUndo: () => boolean
  /** Steps that were not made here; null: none. */
  others: OtherSteps | null
}

/** The names of the next steps of the user in what the diagram shows, such as saved ones, and what takes them. */
export type OtherSteps = {
  undo: string | undefined
  redo: string | undefined
  take: (direction: 'undo' | 'redo') => void
}

type DiagramCommand = Command<DiagramContext>

const { commands: texts, reasons } = viewTexts
/** A press on a zoom button makes everything larger by this. */
const zoomStep = Math.SQRT2

export const undoCommands: readonly DiagramCommand[] = [
  {
    id: 'diagram.undo',
    label: ({ state }) => named('Undo', nextUndo(state.session)),
    icon: Undo2,
    shortcut: 'mod+z',
    disabled: ({ state }) => (nextUndo(state.session) ? false : reasons.nothingToUndo),
    run: ({ store }) => store.undo(),
  },
  {
    id: 'diagram.redo',
    label: ({ state }) => named('Redo', nextRedo(state.session)),
    icon: Redo2,
    shortcut: 'mod+shift+z',
    alternatives: ['mod+y'],
    disabled: ({ state }) => (nextRedo(state.session) ? false : reasons.nothingToRedo),
    run: ({ store }) => store.redo(),
  },
]

/** Once there is no step of the diagram left, the buttons go on with other ones, as the keys do. */
export const undoButtons: readonly DiagramCommand[] = undoCommands.map((command, index) => {
  const direction = index === 0 ? 'undo' : 'redo'
  const other = ({ state, others }: DiagramContext) => {
    const own = direction === 'undo' ? nextUndo(state.session) : nextRedo(state.session)
    return own ? undefined : others?.[direction]
  }
  return {
    ...command,
    label: context => {
      const label = other(context)
      return label === undefined ? labelOf(command, context) : named(historyTexts.cause[direction], { label })
    },
    disabled: context => other(context) === undefined && whyDisabled(command, context),
    run: context => (other(context) === undefined ? command.run(context) : context.others?.take(direction)),
  }
})

export const zoomCommands: readonly DiagramCommand[] = [
  {
    id: 'diagram.zoomOut',
    label: texts.zoomOut,
    icon: ZoomOut,
    run: ({ canvas }) => canvas?.zoomTo(canvas.camera.zoom / zoomStep),
  },
  {
    id: 'diagram.zoomIn',
    label: texts.zoomIn,
    icon: ZoomIn,
    run: ({ canvas }) => canvas?.zoomTo(canvas.camera.zoom * zoomStep),
  },
  { id: 'diagram.fit', label: texts.fit, icon: Maximize, run: ({ canvas }) => canvas?.fit() },
]

const steps = [1, 2, 3] as const

/** What is shown: the entities around one, ways between two, hidden ones. */
export const showCommands: readonly DiagramCommand[] = [
  ...steps.map((count): DiagramCommand => ({
    id: `diagram.neighbourhood${count}`,
    label: texts.neighbourhood(count),
    icon: Network,
    group: 'around',
    disabled: ({ state }) => (cardOf(state) === null ? reasons.one : false),
    run: ({ store, state }) => {
      const card = cardOf(state)
      if (card !== null) store.showNeighbourhood(card, count)
    },
  })),
  {
    id: 'diagram.way',
    label: texts.way,
    icon: Route,
    group: 'way',
    disabled: ({ state }) => (state.picture.chosen.size === 2 ? false : reasons.two),
    run: ({ store, state }) => {
      const [from, to] = state.picture.chosen
      if (from !== undefined && to !== undefined) store.showWay(from, to)
    },
  },
  {
    id: 'diagram.hide',
    label: texts.hide,
    icon: EyeOff,
    group: 'hide',
    disabled: ({ state }) => (state.picture.chosen.size > 0 ? false : reasons.some),
    run: ({ store, state }) => {
      store.setHidden(state.picture.chosen, true)
      store.choose([], 'replace')
    },
  },
  {
    id: 'diagram.showAll',
    label: texts.showAll,
    icon: Eye,
    group: 'hide',
    disabled: ({ state }) => (state.picture.hidden.size > 0 ? false : reasons.nothingHidden),
    run: ({ store }) => store.showAll(),
  },
]

const edges = [
  { edge: 'left', icon: AlignStartVertical },
  { edge: 'centre', icon: AlignCenterVertical },
  { edge: 'right', icon: AlignEndVertical },
  { edge: 'top', icon: AlignStartHorizontal },
  { edge: 'middle', icon: AlignCenterHorizontal },
  { edge: 'bottom', icon: AlignEndHorizontal },
] as const

const directions = [
  { direction: 'across', icon: AlignHorizontalSpaceBetween },
  { direction: 'down', icon: AlignVerticalSpaceBetween },
] as const

const scopes = ['choice', 'area', 'all'] as const

/** Where cards stand. */
export const arrangeCommands: readonly DiagramCommand[] = [
  ...scopes.map((scope): DiagramCommand => ({
    id: `diagram.arrange.${scope}`,
    label: texts.arrange[scope],
    icon: LayoutDashboard,
    group: 'arrange',
    disabled: ({ state }) => (scope === 'all' || cardOf(state) !== null ? false : reasons.some),
    run: async ({ store }) => store.arrange(scope),
  })),
  ...edges.map(({ edge, icon }): DiagramCommand => ({
    id: `diagram.align.${edge}`,
    label: texts.align[edge],
    icon,
    group: 'align',
    disabled: ({ state }) => (state.picture.chosen.size > 1 ? false : reasons.several),
    run: ({ store }) => store.align(edge),
  })),
  ...directions.map(({ direction, icon }): DiagramCommand => ({
    id: `diagram.distribute.${direction}`,
    label: texts.distribute[direction],
    icon,
    group: 'distribute',
    disabled: ({ state }) => (state.picture.chosen.size > 2 ? false : reasons.three),
    run: ({ store }) => store.distribute(direction),
  })),
]

const detailCommands: readonly DiagramCommand[] = diagramDetails.map(detail => ({
  id: `diagram.detail.${detail}`,
  label: texts.detail[detail],
  group: 'detail',
  checked: ({ state }) => state.session.detail === detail,
  run: ({ store }) => store.setDetail(detail),
}))

const problemsCommand: DiagramCommand = {
  id: 'diagram.problems',
  label: texts.problems,
  group: 'marks',
  visible: ({ store }) => store.canMarkProblems,
  checked: ({ state }) => state.marksProblems,
  run: ({ store, state }) => store.markProblems(!state.marksProblems),
}

/** How cards look. */
export const lookCommands: readonly DiagramCommand[] = [...detailCommands, problemsCommand]

export const diagramCommands: readonly DiagramCommand[] = [
  ...undoCommands.map(command => ({ ...command, visible: ({ takesUndo }: DiagramContext) => takesUndo() })),
  ...zoomCommands,
  ...showCommands,
  ...arrangeCommands,
  ...lookCommands.map(command => ({ ...command, onlySearched: true })),
]

/** The card that a command for one is about: the only chosen one, else the one that keys act on. */
function cardOf({ picture: { chosen, focused } }: DiagramState): number | null {
  const [only] = chosen
  return chosen.size === 1 && only !== undefined ? only : focused
}

function named(word: string, step: { label: string } | undefined): string {
  return step ? `${word}: ${step.label}` : word
}
