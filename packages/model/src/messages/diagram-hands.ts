import { formatCount, visibleText } from '../display.ts'

const sides = { left: 'left of', right: 'right of', up: 'above', down: 'below' } as const

/** Texts of the diagram's canvas, keys and list. */
export const handTexts = {
  canvas: (label: string) => `Diagram of ${visibleText(label)}`,
  instructions:
    'Arrow keys go to the nearest entity, brackets along relationships, Enter opens, R relates. Alt+L goes to the list, which has the same commands.',
  listButton: 'List Beside Diagram',
  announcements: 'Diagram keys',
  list: (label: string) => `Entities of the diagram of ${visibleText(label)}`,
  columns: { name: 'Name', detail: 'Details' },
  listWidth: 'Width of the list',
  beside: (side: keyof typeof sides, name: string) => `${sides[side]} ${visibleText(name)}`,
  /** A card that became the one that keys act on. */
  focused: (name: string, { chosen, place }: { chosen: boolean; place: string }) =>
    [visibleText(name), ...(chosen ? ['chosen'] : []), ...(place === '' ? [] : [place])].join(', '),
  alongLink: (name: string, isReferredTo: boolean, { at, of }: { at: number; of: number }) =>
    `${visibleText(name)}, ${isReferredTo ? 'referred to' : 'refers here'}, ${at} of ${of}`,
  noNeighbour: 'There is no entity that way.',
  noLinks: (name: string) => `${visibleText(name)} has no relationships to entities that are shown.`,
  moved: (what: string, place: string) => `${what} moved${place === '' ? '' : `, ${place}`}`,
  move: (names: readonly string[]) => `Move ${several(names)}`,
  several,
  chosen: (count: number) => (count === 0 ? 'Nothing is chosen.' : `${entities(count)} chosen`),
  shown: (count: number) => `${entities(count)} shown`,
  hidden: (what: string) => `${what} hidden`,
  refersTo: (name: string) => `refers to ${visibleText(name)}`,
  referredToBy: (name: string) => `referred to by ${visibleText(name)}`,
  states: { hidden: 'hidden' },
  marks: { added: 'added', removed: 'removed', changed: 'changed', problem: 'has problems', unsaved: 'unsaved' },
  shownOf: (shown: number, all: number) =>
    shown === all ? entities(all) : `${formatCount(shown)} of ${entities(all)} shown`,
  relate: {
    choose: (name: string) =>
      `New relationship of ${visibleText(name)}: go to the entity to refer to, then press Enter.`,
    preview: (foreignKey: string, entity: string, attribute: string) =>
      `${visibleText(foreignKey)} → ${visibleText(entity)}.${visibleText(attribute)}`,
    itself: 'An entity cannot refer to itself here; import keeps such references.',
    newEntity: 'New entity here',
    reading: (name: string) => `→ ${visibleText(name)}`,
    cancelled: 'No relationship was added.',
    missing: (name: string) => `${visibleText(name)} is not in the organisation.`,
    isForeignKey: (name: string) => `${visibleText(name)} is a foreign key already.`,
    noKey: (name: string) => `${visibleText(name)} has no key that a foreign key can refer to.`,
    added: (relationship: string) => `Added ${relationship}, not saved yet.`,
  },
  around: {
    show: 'Show in Diagram',
    hide: 'Hide Diagram',
    width: 'Width of the diagram',
    steps: 'Steps',
    close: 'Close Diagram',
    more: (count: number) => `${formatCount(count)} more are linked`,
    noNewEntity: 'A new entity is added in the diagram of its manifest.',
  },
  menu: { arrange: 'Arrange' },
  keys: {
    heading: 'In a diagram and its list',
    nearest: 'Nearest entity that way',
    nextLink: 'Next entity along relationships',
    previousLink: 'Previous entity along relationships',
    choose: 'Choose the entity, or no longer',
    open: 'Open',
    openBeside: 'Open Beside',
    relate: 'New Relationship',
    neighbourhood: 'Only what is linked with the entity',
    way: 'Path between two entities',
    hide: 'Hide',
    showAll: 'Show what is hidden',
    nudge: 'Move the chosen entities by 8 pixels',
    zoomIn: 'Zoom in',
    zoomOut: 'Zoom out',
    fit: 'Show the whole diagram',
    list: 'List beside the diagram, and back',
    find: 'Find an entity; Ctrl+Enter chooses one more',
  },
  oldVersion: 'An old version cannot be changed.',
  needsTwo: 'Choose two entities.',
  needsCard: 'Go to an entity first.',
} as const

function entities(count: number): string {
  return count === 1 ? '1 entity' : `${formatCount(count)} entities`
}

function several(names: readonly string[]): string {
  return names.length === 1 ? visibleText(names[0] ?? '') : entities(names.length)
}
