import { boxOf } from '@cadmus/diagram/geometry'
import { arrange } from '@cadmus/diagram/layout/arrange'
import { placeNew } from '@cadmus/diagram/layout/place-new'
import type { Places, Scene } from '@cadmus/diagram/scene'
import { hiddenNeighbours, neighbourhood, shortestWays } from '@cadmus/diagram/ways'
import {
  type DiagramDetail,
  type DiagramView,
  type PlacementChanges,
  type Placements,
  viewEdit,
} from '@cadmus/model/diagram/view'
import { viewTexts } from '@cadmus/model/messages/diagram-views'
import { createStore, type StoreApi } from 'zustand/vanilla'
import type { RefusedPlacement } from '../api/diagram.ts'
import { messageOf } from '../api/error.ts'
import { openAt } from '../commands/DocumentLink.tsx'
import { notify } from '../ui/notices.ts'
import { timestamp } from '../ui/timestamp.ts'
import { aligned, distributed, type Direction, type Edge, type Moves } from './align.ts'
import type { DiagramActions, Picture, RelateOptions } from './diagram.ts'
import type { AwaitedEntity, DiagramOptions, DiagramState, Entity, Ways } from './diagram-state.ts'
import { OpenViews } from './open-views.ts'
import {
  chosenWith,
  choiceIn,
  hasSame,
  hasSameIndexes,
  marksOf,
  noChoice,
  placedOf,
  placementAt,
  previewed,
  rowsOf,
  type Choice,
  type ChoiceMode,
  type Placed,
} from './picture-of.ts'
import { RowsOfCards } from './rows-of-cards.ts'
import { cardsOf, type Cards, type DiagramData, type Unsaved } from './scene-of.ts'
import { cardsOfScope, freePlaces, onlyThese, shownPart, type ArrangeScope } from './sub-scene.ts'
import {
  copied,
  detailedIn,
  modelStepped,
  movedIn,
  openView,
  placedIn,
  redoneIn,
  stepped,
  storedAs,
  undoneIn,
  unstoredView,
  type ViewSession,
} from './view-session.ts'

/** The uid of the view that is not stored. */
const unstored = ''

/** An open diagram: of a manifest, or of the entities around one. */
export class DiagramStore implements DiagramActions {
  readonly state: StoreApi<DiagramState>
  readonly #options: DiagramOptions
  readonly #views: OpenViews
  readonly #rows: RowsOfCards
  #data: DiagramData
  #unsaved: Unsaved = new Map()
  #problems: ReadonlySet<number> = new Set()
  #shown = unstored
  /** The stored view shown last. */
  #followed: string | undefined
  /** The view that a view which is not stored was made from. */
  #before: string | null = null
  #choice: Choice = noChoice
  #placed: Placed & { of: Placements; cards: Cards }
  #layout: AbortController | null = null
  #awaited: AwaitedEntity | null = null

  constructor(options: DiagramOptions) {
    this.#options = options
    this.#data = options.data
    this.#rows = new RowsOfCards(options.readRows, () => this.#draw({}, { rows: true }))
    this.#views = new OpenViews({
      send: options.send,
      onChange: () => this.#followSession(),
      onRefused: cards => this.#reportRefused(cards),
      onFailure: failure => notify('error', messageOf(failure, viewTexts.notStored)),
    })
    const session = openView(unstoredView({}, viewTexts.firstView), { sends: false })
    const cards = cardsOf(options.data, this.#unsaved, session.detail)
    this.#placed = { ...placedOf(cards, session.placements), of: session.placements, cards }
    const picture: Picture = {
      scene: cards.scene,
      ...this.#placed,
      detail: session.detail,
      ...noChoice,
      marks: cards.differences.cards,
      linkMarks: cards.differences.links,
      hiddenNeighbours: new Map(),
      rows: rowsOf(cards, id => this.#rows.get(id)),
    }
    const rest = {
      preview: null,
      ways: null,
      marksProblems: false,
      isArranging: false,
      isTemporary: false,
      isWaiting: false,
      shows: 0,
      looked: [],
    }
    this.state = createStore<DiagramState>()(() => ({ cards, session, picture, ...rest }))
    this.#views.set(unstored, session)
  }

  /** The model as the server has it now. */
  setData(data: DiagramData): void {
    if (data === this.#data) return
    const { byId } = this.get().cards
    this.#data = data
    this.#rows.refresh()
    const added = data.entities.ids.flatMap((id, card) => (byId.has(id) ? [] : [card]))
    const [only] = added
    if (this.#awaited && only !== undefined && added.length === 1) this.#receiveAwaited(this.#awaited, only)
    else this.#changeCards()
  }

  setUnsaved(unsaved: Unsaved): void {
    if (unsaved.size === 0 && this.#unsaved.size === 0) return
    this.#unsaved = unsaved
    this.#changeCards()
  }

  get canMarkProblems(): boolean {
    return this.#options.readProblems !== undefined
  }

  async markProblems(marksProblems: boolean): Promise<void> {
    try {
      this.#problems = (marksProblems && (await this.#options.readProblems?.())) || new Set()
      this.#draw({ marksProblems })
    } catch (failure) {
      notify('error', messageOf(failure, viewTexts.noProblemsRead))
    }
  }

  /** Takes over a view from the server; shows it if none was shown yet. */
  receive(view: DiagramView, { sends }: { sends: boolean }): void {
    this.#views.receive(view, { sends })
    this.#placeMissing()
  }

  /** Shows a view that was received, unless it was left for another since; undefined: there is none. */
  follow(uid: string | undefined): void {
    if (uid === this.#followed && this.get().shows > 0) return
    const moved = uid !== undefined && this.#shown === unstored && this.#before === null ? movedIn(this.#session) : []
    this.show(uid)
    // Someone else stored the first view while cards were moved here.
    if (moved.length > 0) notify('info', viewTexts.movedSince(this.#namesOf(moved)))
  }

  /** Shows a view that was received; undefined: the one that is not stored. */
  show(uid: string | undefined): void {
    this.#followed = uid
    if (this.get().shows > 0 && (uid ?? unstored) === this.#shown) return
    this.#shown = uid ?? unstored
    this.#before = null
    this.#changeCards({ preview: null, ways: null, shows: this.get().shows + 1 })
  }

  has(uid: string): boolean {
    return this.#views.get(uid) !== undefined
  }

  /** The view shown has been stored as a new one. */
  store(view: DiagramView): void {
    const { session } = this.get()
    this.#followed = view.uid
    this.#shown = view.uid
    this.#before = null
    this.#views.set(view.uid, storedAs(session, view))
  }

  /** A view that was deleted stays as one that is not stored while it is shown. */
  drop(uid: string): void {
    const session = this.#views.get(uid)
    this.#views.drop(uid)
    if (uid !== this.#shown || !session) return
    this.#showUnstored(copied(session, session.stored.name), { isSamePicture: true })
    this.#before = null
  }

  get(): DiagramState {
    return this.state.getState()
  }

  needRows(cards: readonly number[]): void {
    const { ids } = this.get().cards
    this.#rows.need(cards.map(card => ids[card] ?? -1))
  }

  /** Rows for an export: also those that were never in view. */
  async loadRows(cards: Iterable<number>): Promise<void> {
    const { ids } = this.get().cards
    await this.#rows.load([...cards].flatMap(card => (this.#placed.hidden.has(card) ? [] : (ids[card] ?? []))))
  }

  setDetail(detail: DiagramDetail): void {
    this.#views.change(this.#shown, session => detailedIn(session, detail))
  }

  choose(cards: Iterable<number>, mode: ChoiceMode): void {
    this.#choice = { ...this.#choice, chosen: chosenWith(this.#choice.chosen, cards, mode) }
    this.#draw()
  }

  focus(card: number | null): void {
    if (card === this.#choice.focused) return
    this.#choice = { ...this.#choice, focused: card }
    this.#draw()
  }

  /** Chooses cards and moves the camera to them; keys act on the first one. */
  lookAt(cards: readonly number[]): void {
    this.#choice = { ...this.#choice, chosen: new Set(cards), focused: cards[0] ?? null }
    this.#draw({ looked: cards })
  }

  move(moved: ReadonlyMap<number, { x: number; y: number }>, label: string): void {
    const { cards, preview } = this.get()
    // Cards are moved from where the preview shows them.
    if (preview) return this.#draw({ preview: { ...preview, moved: new Map([...preview.moved, ...moved]) } })
    const { hidden } = this.#placed
    const placements = Array.from(moved, ([card, to]) => placementAt(cards, card, { ...to, hidden: hidden.has(card) }))
    this.#step(Object.fromEntries(placements), label)
  }

  align(edge: Edge): void {
    this.#moveChosen(aligned(this.#boxesOfChosen(), edge), viewTexts.steps.align)
  }

  distribute(direction: Direction): void {
    this.#moveChosen(distributed(this.#boxesOfChosen(), direction), viewTexts.steps.distribute)
  }

  /** Shows a preview; `takePreview` makes it a step. */
  async arrange(scope: ArrangeScope): Promise<void> {
    // Another layout would end the one under way, whose cards may have no places yet.
    if (this.get().isArranging) return
    const { scene } = this.get().cards
    const { places, hidden } = this.#placed
    const { chosen, focused } = this.#choice
    const some = chosen.size > 0 ? [...chosen] : focused === null ? [] : [focused]
    const part = shownPart(scene, { places, hidden })
    const within = cardsOfScope(part, scope, some)
    if (scope !== 'all' && within.length === 0) return
    const arranged = scope === 'all' ? await this.#laidOut(part.scene) : arrange(part.scene, part.places, within)
    if (!arranged) return
    const moved = new Map(
      part.cards.map((card, index) => [card, { x: arranged.x[index]!, y: arranged.y[index]! }] as const),
    )
    this.#draw({ preview: { moved, label: viewTexts.steps.arrange } })
  }

  takePreview(): void {
    const { preview } = this.get()
    if (!preview) return
    this.#draw({ preview: null })
    this.move(preview.moved, preview.label)
  }

  dropPreview(): void {
    this.#draw({ preview: null })
  }

  setHidden(cards: Iterable<number>, hidden: boolean): void {
    const { scene } = this.get().cards
    const { places, hidden: before } = this.#placed
    const some = [...cards].filter(card => before.has(card) !== hidden)
    const isPlaced = this.#shown !== unstored && !this.#options.isLocal
    const at = hidden || isPlaced ? places : freePlaces(scene, this.#placed, some)
    const changes = some.map(card => [scene.uids[card]!, { x: at.x[card]!, y: at.y[card]!, hidden }] as const)
    const label = viewTexts.steps[hidden ? 'hide' : 'show'](some.length, scene.names[some[0] ?? -1] ?? '')
    this.#step(Object.fromEntries(changes), label)
  }

  undo(): void {
    this.#turn(undoneIn)
  }

  redo(): void {
    this.#turn(redoneIn)
  }

  open(card: number, beside = false): void {
    const { ids, scene } = this.get().cards
    if (this.#options.open) return this.#options.open(scene.uids[card]!)
    const id = ids[card] ?? -1
    if (id > 0) openAt({ kind: 'entity', id, name: scene.names[card]! }, {}, beside)
  }

  showNeighbourhood(card: number, steps: 1 | 2 | 3): void {
    const { scene } = this.get().cards
    this.showOnly(neighbourhood(scene, card, steps), viewTexts.neighbourhood(scene.names[card]!))
    this.choose([card], 'replace')
    this.focus(card)
  }

  /** Shows some cards close together, in a view that is not stored. */
  showOnly(cards: Iterable<number>, name: string): void {
    const { scene } = this.get().cards
    const { places } = this.#placed
    this.#showUnstored(openView(unstoredView(onlyThese(scene, places, cards), name), { sends: false }))
  }

  /** Goes back to the view before, or shows what is hidden in this one. */
  showAll(): void {
    return this.#before === null ? this.setHidden(this.#placed.hidden, false) : this.show(this.#before)
  }

  showWay(from: number, to: number): void {
    const ways = { from, to, ways: shortestWays(this.get().cards.scene, from, to), shown: 0 }
    this.#showWays(ways)
  }

  /** Shows another of the ways; null: no longer any. */
  chooseWay(shown: number | null): void {
    const { ways } = this.get()
    this.#showWays(shown === null || !ways ? null : { ...ways, shown })
  }

  relate(from: number, target: number | null, { attribute, at }: RelateOptions = {}): void {
    if (target !== null) return void this.#relate(this.entityAt(from), this.entityAt(target), attribute)
    const awaited = (this.#awaited = { from: this.get().cards.scene.uids[from]!, at })
    return this.#options.addEntity(() => void (this.#awaited = this.#awaited === awaited ? null : this.#awaited))
  }

  entityAt(card: number): Entity {
    const { ids, scene } = this.get().cards
    return { id: ids[card] ?? -1, name: scene.names[card] ?? '' }
  }

  async #relate(from: Entity, target: Entity, attribute: string | undefined): Promise<void> {
    const step = await this.#options.relate(from, target, attribute)
    if (step) this.#views.change(this.#shown, session => modelStepped(session, step))
  }

  /** The new entity is there: places it at its point, and refers to it. */
  #receiveAwaited({ from, at }: AwaitedEntity, card: number): void {
    this.#awaited = null
    const uid = this.#data.entities.uids[card]!
    if (at) {
      const place = { x: Math.round(at.x), y: Math.round(at.y), hidden: false }
      this.#views.change(this.#shown, session => placedIn(session, { [uid]: place }))
    }
    this.#changeCards()
    const { byUid } = this.get().cards
    const [own, target] = [byUid.get(from), byUid.get(uid)]
    if (own !== undefined && target !== undefined) this.relate(own, target)
  }

  #showWays(ways: Ways | null): void {
    const way = ways?.ways[ways.shown]
    const chosen = new Set(way?.cards ?? (ways ? [ways.from, ways.to] : this.#choice.chosen))
    this.#choice = { ...this.#choice, chosen, way: new Set(way?.links.flat()) }
    this.#draw({ ways, ...(way ? { looked: way.cards } : {}) })
  }

  #boxesOfChosen() {
    const { scene } = this.get().cards
    const { places } = this.get().picture
    return new Map([...this.#choice.chosen].map(card => [card, boxOf(scene, places, card)]))
  }

  #moveChosen(moved: Moves, label: (count: number) => string): void {
    if (moved.size > 1) this.move(moved, label(moved.size))
  }

  /** Makes a step in the view shown, or in a copy of it where the user may only read. */
  #step(changes: PlacementChanges, label: string): void {
    const { session } = this.get()
    const edit = viewEdit(label, session.placements, changes)
    if (!edit) return
    if (this.#shown === unstored || session.sends || this.#options.isLocal)
      this.#views.set(this.#shown, stepped(session, edit))
    else {
      this.#showUnstored(stepped(copied(session, viewTexts.copyOf(session.stored.name)), edit), { isSamePicture: true })
      notify('info', viewTexts.forked(session.stored.name))
    }
  }

  #turn(turn: typeof undoneIn): void {
    const { session, skipped, model } = turn(this.get().session)
    this.#views.set(this.#shown, session)
    model?.()
    if (skipped.length > 0) notify('info', viewTexts.movedSince(this.#namesOf(skipped)))
  }

  #showUnstored(session: ViewSession, { isSamePicture = false } = {}): void {
    if (this.#shown !== unstored) this.#before = this.#shown
    this.#shown = unstored
    this.#views.set(unstored, session)
    const { shows } = this.get()
    this.#changeCards({ preview: null, ways: null, shows: isSamePicture ? shows : shows + 1 })
  }

  #reportRefused(cards: ReadonlyMap<string, RefusedPlacement>): void {
    const [[, first] = []] = cards
    if (first) notify('warning', viewTexts.refused(this.#namesOf(cards.keys()), first.by, timestamp(first.at)))
  }

  #namesOf(uids: Iterable<string>): string[] {
    const { scene, byUid } = this.get().cards
    return Array.from(uids, uid => scene.names[byUid.get(uid) ?? -1] ?? '')
  }

  /** Finds places for all cards of a view without any, else for the new ones beside what they are linked with. */
  #placeMissing(): void {
    const { cards, session, isArranging, shows } = this.get()
    const { places, unplaced } = this.#placed
    // The views are read before the first one is shown.
    if (unplaced.length === 0 || isArranging || shows === 0) return
    if (unplaced.length === cards.scene.count) return void this.#placeAll()
    const placements = Array.from(placeNew(cards.scene, places, unplaced), ([card, at]) => placementAt(cards, card, at))
    this.#views.set(this.#shown, placedIn(session, Object.fromEntries(placements)))
  }

  async #placeAll(): Promise<void> {
    const { cards } = this.get()
    const shown = this.#shown
    this.#draw({ isArranging: true })
    const places = await this.#laidOut(cards.scene)
    if (!places) return this.#draw({ isArranging: false })
    const at = (card: number) => ({ x: places.x[card]!, y: places.y[card]! })
    const placements = Object.fromEntries(cards.scene.uids.map((_, card) => placementAt(cards, card, at(card))))
    this.#views.change(shown, session => placedIn(session, placements))
    this.#draw({ isArranging: false, shows: this.get().shows + 1 })
    this.#placeMissing()
    if (shown !== unstored) return
    // Without the right or the server, the places stay in the page.
    const view = await this.#options.storeFirst?.(placements).catch(() => undefined)
    if (view && this.#shown === unstored && this.#before === null) this.store(view)
  }

  async #laidOut(scene: Scene): Promise<Places | null> {
    this.#layout?.abort()
    const layout = new AbortController()
    this.#layout = layout
    const places = await this.#options.layout(scene, layout.signal).catch((failure: unknown) => {
      if (!layout.signal.aborted) notify('error', messageOf(failure, viewTexts.notArranged))
      return null
    })
    return layout.signal.aborted ? null : places
  }

  /** After the model, its unsaved edits or the detail have changed. */
  #changeCards(change: Partial<DiagramState> = {}): void {
    const before = this.get().cards
    const cards = cardsOf(this.#data, this.#unsaved, this.#session.detail)
    this.#choice = choiceIn(cards, before, this.#choice)
    // Previews and ways name cards and links by their index.
    const isSame = hasSameIndexes(cards, before)
    this.#draw({ cards, ...(isSame ? {} : { preview: null, ways: null }), ...change })
    this.#placeMissing()
  }

  get #session(): ViewSession {
    return this.#views.get(this.#shown) ?? this.get().session
  }

  /** Another detail gives the cards other rows. */
  #followSession(): void {
    if (this.#session.detail === this.get().picture.detail) this.#draw()
    else this.#changeCards()
  }

  #draw(change: Partial<DiagramState> = {}, { rows = false } = {}): void {
    const before = this.get()
    const session = this.#session
    const { cards, preview } = { ...before, ...change }
    const areCardsNew = cards !== this.#placed.cards
    const arePlacesNew = areCardsNew || session.placements !== this.#placed.of
    if (arePlacesNew) this.#placed = { ...placedOf(cards, session.placements), of: session.placements, cards }
    const { places, hidden } = this.#placed
    const isHiddenSame = !areCardsNew && hasSame(before.picture.hidden, hidden)
    const picture: Picture = {
      ...before.picture,
      ...this.#choice,
      scene: cards.scene,
      detail: session.detail,
      places: preview ? previewed(places, preview.moved) : places,
      marks: marksOf(cards, this.#problems),
      linkMarks: cards.differences.links,
      ...(isHiddenSame ? {} : { hidden, hiddenNeighbours: hiddenNeighbours(cards.scene, hidden) }),
      ...(areCardsNew || rows ? { rows: rowsOf(cards, id => this.#rows.get(id)) } : {}),
    }
    const isTemporary = this.#shown === unstored && this.#before !== null
    this.state.setState({ ...change, cards, session, picture, isTemporary, isWaiting: this.#views.isWaiting })
  }
}
