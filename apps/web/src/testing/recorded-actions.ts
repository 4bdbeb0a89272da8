import type { DiagramActions, Picture } from '../diagram/diagram.ts'
import type { Placed } from '../diagram/nearest.ts'

export type Move = { label: string; moved: readonly (readonly [number, { x: number; y: number }])[] }

/** Actions on a picture in memory; what leaves the picture is recorded. */
export type Recorded = {
  picture: Picture
  actions: DiagramActions
  moves: Move[]
  calls: unknown[][]
}

export function recordedActions({ scene, places, hidden }: Placed): Recorded {
  const recorded: Recorded = {
    picture: {
      scene,
      places,
      hidden: new Set(hidden),
      detail: 'all',
      chosen: new Set(),
      focused: null,
      marks: new Map(),
      linkMarks: new Map(),
      way: new Set(),
      hiddenNeighbours: new Map(),
      rows: () => undefined,
    },
    actions: undefined as never,
    moves: [],
    calls: [],
  }
  const change = (part: Partial<Picture>) => {
    recorded.picture = { ...recorded.picture, ...part }
  }
  const call =
    (name: string) =>
    (...input: unknown[]) =>
      void recorded.calls.push([name, ...input])
  recorded.actions = {
    choose: (cards, mode) => {
      const before = recorded.picture.chosen
      const chosen = new Set(mode === 'replace' ? [] : before)
      for (const card of cards) if (mode !== 'toggle' || !chosen.delete(card)) chosen.add(card)
      change({ chosen })
    },
    focus: focused => change({ focused }),
    move: (moved, label) => void recorded.moves.push({ label, moved: [...moved] }),
    setHidden: (cards, isHidden) => {
      const next = new Set(recorded.picture.hidden)
      for (const card of cards)
        if (isHidden) next.add(card)
        else next.delete(card)
      change({ hidden: next })
    },
    align: call('align'),
    distribute: call('distribute'),
    arrange: async scope => call('arrange')(scope),
    undo: call('undo'),
    redo: call('redo'),
    open: call('open'),
    showNeighbourhood: call('showNeighbourhood'),
    showAll: call('showAll'),
    showWay: call('showWay'),
    relate: call('relate'),
  }
  return recorded
}
