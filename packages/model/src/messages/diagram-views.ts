import { formatCount, visibleText } from '../display.ts'

/** Texts of the page that shows a diagram, its views and its toolbar. */
export const viewTexts = {
  pane: (name: string) => `Diagram of ${visibleText(name)}`,
  outside: 'Outside',
  firstView: 'Overview',
  copyOf: (view: string) => `Copy of ${visibleText(view)}`,
  neighbourhood: (entity: string) => `Around ${visibleText(entity)}`,
  steps: {
    align: (count: number) => `Align ${entities(count)}`,
    distribute: (count: number) => `Distribute ${entities(count)}`,
    arrange: 'Arrange',
    hide: (count: number, name: string) => `Hide ${oneOrMany(count, name)}`,
    show: (count: number, name: string) => `Show ${oneOrMany(count, name)}`,
  },
  notStored: 'The diagram could not be saved.',
  notArranged: 'The diagram could not be arranged.',
  notRead: 'The diagram could not be read.',
  noProblemsRead: 'The problems could not be read.',
  forked: (view: string) =>
    `"${visibleText(view)}" cannot be changed by you. Your changes are in a copy, which Save as View keeps.`,
  movedSince: (names: readonly string[]) => `${list(names)} stayed: someone else has moved it since.`,
  refused: (names: readonly string[], who: string, when: string) =>
    `${visibleText(who)} has moved ${list(names)} at ${when}. Your move was taken back.`,
  addEntity: 'Add Entity',
  find: {
    label: 'Find Entity',
    results: (at: number | null, count: number) =>
      count === 0 ? 'None' : at === null ? formatCount(count) : `${formatCount(at + 1)} of ${formatCount(count)}`,
  },
  ways: {
    title: (from: string, to: string) => `${visibleText(from)} to ${visibleText(to)}`,
    none: 'No relationships lead from one to the other.',
    steps: (count: number) => (count === 1 ? '1 step' : `${count} steps`),
    only: 'Show Only These',
  },
  dialog: { name: 'Name', shared: 'Shared', sharedHint: 'For everyone who sees the manifest; otherwise only for you.' },
  views: {
    menu: (name: string) => `View: ${visibleText(name)}`,
    shared: 'Shared views',
    personal: 'My views',
    locked: 'This view is shared by those who may edit the manifest.',
    notStored: 'This view is not saved.',
    ofVersion: 'A version keeps the views that it was made with.',
    onlyEditors: 'Shared views need the right to edit the manifest.',
    notDeleted: 'The view could not be deleted.',
    deleteText: (name: string, shared: boolean) =>
      `Delete the view "${visibleText(name)}"${shared ? ' for everyone' : ''}? The entities stay.`,
  },
  toolbar: {
    label: 'Diagram',
    arrange: 'Arrange',
    show: 'Show',
    more: 'More',
    list: 'List',
  },
  preview: { note: 'This is a preview.', take: 'Arrange', drop: 'Cancel' },
  unsavedView: (name: string) => `"${visibleText(name)}" is not saved as a view.`,
  backToAll: 'Show All',
  arranging: 'Finding places for the entities',
  status: {
    label: 'Diagram status',
    entities,
    hidden: (count: number) => `${formatCount(count)} hidden`,
    chosen: (count: number) => `${formatCount(count)} chosen`,
    unsaved: (count: number) => `${formatCount(count)} with unsaved changes`,
    problems: (count: number) => `${formatCount(count)} with problems`,
    waiting: 'Saving',
    away: 'Not saved yet, because the server cannot be reached',
    zoomLabel: 'Zoom',
    zoom: (zoom: number) => `${Math.round(zoom * 100)} %`,
  },
  commands: {
    zoomIn: 'Zoom In',
    zoomOut: 'Zoom Out',
    fit: 'Show Whole Diagram',
    neighbourhood: (steps: number) => (steps === 1 ? 'Only What Is Linked' : `Only ${steps} Steps Around`),
    way: 'Find Path',
    hide: 'Hide',
    showAll: 'Show All',
    arrange: { choice: 'Arrange Chosen', area: 'Arrange Area', all: 'Arrange All' },
    align: {
      left: 'Align Left',
      centre: 'Align Centres',
      right: 'Align Right',
      top: 'Align Top',
      middle: 'Align Middles',
      bottom: 'Align Bottom',
    },
    distribute: { across: 'Distribute Across', down: 'Distribute Down' },
    detail: { names: 'Names Only', keys: 'Keys and Foreign Keys', all: 'All Attributes' },
    problems: 'Mark Problems',
    saveView: 'Save as View',
    renameView: 'Rename View',
    deleteView: 'Delete View',
  },
  output: {
    svg: (isOfChoice: boolean) => (isOfChoice ? 'Chosen as SVG' : 'Save as SVG'),
    png: (isOfChoice: boolean) => (isOfChoice ? 'Chosen as PNG' : 'Save as PNG'),
    print: (isOfChoice: boolean) => (isOfChoice ? 'Print Chosen' : 'Print'),
    failed: 'The diagram could not be exported.',
  },
  reasons: {
    nothingToUndo: 'There is nothing to undo.',
    nothingToRedo: 'There is nothing to redo.',
    one: 'Choose an entity first.',
    two: 'Choose two entities.',
    some: 'Choose entities first.',
    several: 'Choose several entities.',
    three: 'Choose at least three entities.',
    nothingHidden: 'Nothing is hidden.',
  },
} as const

/** Names of entities in a message; further ones are counted. */
const mostNames = 3

function list(names: readonly string[]): string {
  const shown = names.slice(0, mostNames).map(name => visibleText(name))
  const more = names.length - shown.length
  return more === 0 ? shown.join(', ') : `${shown.join(', ')} and ${formatCount(more)} more`
}

function oneOrMany(count: number, name: string): string {
  return count === 1 ? visibleText(name) : entities(count)
}

function entities(count: number): string {
  return count === 1 ? '1 entity' : `${formatCount(count)} entities`
}
