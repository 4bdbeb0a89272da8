import type { Scene } from '@cadmus/diagram/scene'
import { neighbourhood } from '@cadmus/diagram/ways'
import type { Point } from '@cadmus/diagram/geometry'
import { handTexts } from '@cadmus/model/messages/diagram-hands'
import { createStore, type StoreApi } from 'zustand/vanilla'
import { diagramKeys, spelledKey } from './diagram-keys.ts'
import { movedBy, snap } from './gestures.ts'
import type { DiagramProps, HandsView, Relating } from './hands.ts'
import { besideOf, cardNear, type Direction, nearestCard, type Walk, walked } from './nearest.ts'

const { relate: texts } = handTexts
/** Factor of the keys + and −. */
const zoomStep = Math.SQRT2

type Props = Pick<DiagramProps, 'picture' | 'actions' | 'locked'>

export type HandsState = {
  relating: Relating | null
  /** What the relationship that is being drawn would be. */
  preview: string
  /** For screen readers; the number tells equal texts apart. */
  announcement: { text: string; at: number }
}

export type HandsOptions = {
  props: () => Props
  /** Null before the canvas is there. */
  view: () => HandsView | null
  /** The text of a relationship between two cards. */
  describe: (from: number, target: number, attribute: string | undefined) => Promise<string>
  /** Runs a command of the tree by its shortcut for a card, or for all chosen ones if it is one for several. */
  runForEntities: (shortcut: string, card: number | null, chosen: readonly number[]) => boolean
}

/** Cards that Alt and arrow keys move, from the first key until Alt is released. */
type Nudge = { cards: readonly number[]; by: Point; scene: Scene }

/** A nudge goes on when the model has changed, with the indexes that its cards have now; null if none of them is left. */
function nudgeIn(scene: Scene, nudge: Nudge | null): Nudge | null {
  if (!nudge || nudge.scene === scene) return nudge
  const uids = new Set(nudge.cards.map(card => nudge.scene.uids[card]))
  const cards = Array.from(scene.uids.keys()).filter(card => uids.has(scene.uids[card]))
  return cards.length === 0 ? null : { ...nudge, cards, scene }
}

/** What keys do in a diagram, and the relationship that keys or pointer draw. Canvas and list share it. */
export class DiagramHands {
  readonly state: StoreApi<HandsState> = createStore(() => ({
    relating: null,
    preview: '',
    announcement: { text: '', at: 0 },
  }))
  readonly #options: HandsOptions
  /** The scene in which cards of the relationship being drawn have their indexes. */
  #relatingIn: Scene | null = null
  #walk: Walk | null = null
  #nudge: Nudge | null = null

  constructor(options: HandsOptions) {
    this.#options = options
  }

  get relating(): Relating | null {
    return this.state.getState().relating
  }

  announce(text: string): void {
    this.state.setState(({ announcement: { at } }) => ({ announcement: { text, at: at + 1 } }))
  }

  /**
   * `pressed`: as `shortcutOf` names it. Returns whether the key did something. `repeat`: it is held down. `card`: the one that keys are
   * about; null: none, as on an area.
   */
  press(pressed: string, repeat = false, card = this.#options.props().picture.focused): boolean {
    const shortcut = spelledKey(pressed)
    if (this.relating) return this.#pressRelating(shortcut)
    const nudge = arrowOf(shortcut, 'alt+')
    if (nudge) return this.#nudgeBy(nudge)
    this.endNudge()
    const arrow = arrowOf(shortcut)
    if (arrow) return this.#goTo(arrow)
    const step =
      shortcut === diagramKeys.nextLink.shortcut ? 1 : shortcut === diagramKeys.previousLink.shortcut ? -1 : 0
    if (step !== 0) return this.#walkAlong(step)
    return repeat ? zoomKeys.has(shortcut) && this.#pressView(shortcut) : this.#pressOnce(shortcut, card)
  }

  /** Ends a move by keys, as one step. */
  endNudge(): void {
    const { picture, actions } = this.#options.props()
    const nudge = nudgeIn(picture.scene, this.#nudge)
    if (this.#nudge) this.#options.view()?.drop()
    this.#nudge = null
    if (!nudge) return
    const names = nudge.cards.map(card => picture.scene.names[card] ?? '')
    const moved = movedBy(picture, nudge.cards, nudge.by)
    actions.move(moved, handTexts.move(names))
    const places = { x: picture.places.x.slice(), y: picture.places.y.slice() }
    for (const [card, { x, y }] of moved) [places.x[card], places.y[card]] = [x, y]
    const [card] = nudge.cards
    const place = card === undefined ? '' : this.#placeOf(card, { places, except: new Set(nudge.cards) })
    this.announce(handTexts.moved(handTexts.several(names), place))
  }

  /** Makes a card the one that keys act on, in view and announced. */
  goToCard(card: number, text = this.describeCard(card)): void {
    this.#options.props().actions.focus(card)
    this.#options.view()?.reveal(card)
    this.announce(text)
  }

  describeCard(card: number): string {
    const { picture } = this.#options.props()
    const isChosen = picture.chosen.has(card)
    return handTexts.focused(picture.scene.names[card] ?? '', { chosen: isChosen, place: this.#placeOf(card) })
  }

  /** When the canvas receives the focus: the card in the middle, unless there is one already. */
  enter(): void {
    const { picture } = this.#options.props()
    const view = this.#options.view()
    const { focused } = picture
    const card = focused !== null && !picture.hidden.has(focused) ? focused : view && cardNear(picture, view.camera)
    if (card === undefined || card === null) return
    if (card !== focused) this.#options.props().actions.focus(card)
    this.announce(this.describeCard(card))
  }

  /** The cards that a command for `card` is about: the choice, if the card belongs to it. */
  subjects(card: number): readonly number[] {
    const { chosen, hidden } = this.#options.props().picture
    return chosen.has(card) ? [...chosen].filter(one => !hidden.has(one)) : [card]
  }

  startRelating(from: number): void {
    const { picture, locked } = this.#options.props()
    if (locked !== null) return this.announce(locked)
    this.relate({ from, row: undefined, over: null, at: null })
    this.announce(texts.choose(picture.scene.names[from] ?? ''))
  }

  /** Shows a relationship that is being drawn; null: none. */
  relate(relating: Relating | null): void {
    const before = this.relating
    if (!before) this.#relatingIn = this.#options.props().picture.scene
    this.state.setState({ relating, ...(relating ? {} : { preview: '' }) })
    const view = this.#options.view()
    if (!relating) return view?.draft(null)
    const { from, row, over, at } = relating
    const to = over ?? (at && view?.toWorld(at)) ?? null
    view?.draft(to === null ? null : { from, row, to })
    if (before?.from !== from || before.row !== row || before.over !== over || !before.at !== !at)
      this.#preview(relating)
  }

  /** Takes the relationship that is being drawn. */
  related(): void {
    const { relating } = this
    if (!relating) return
    const { from, over, at } = relating
    this.relate(null)
    // If the model has changed, other cards have these indexes now.
    const isOutdated = this.#options.props().picture.scene !== this.#relatingIn
    if (isOutdated || (over === null && at === null)) return this.announce(texts.cancelled)
    const view = this.#options.view()
    const { actions } = this.#options.props()
    const place = over === null && at && view ? { at: view.toWorld(at) } : {}
    actions.relate(from, over, { attribute: this.#attributeOf(relating), ...place })
  }

  #pressOnce(shortcut: string, card: number | null): boolean {
    const { picture, actions } = this.#options.props()
    if (this.#pressView(shortcut)) return true
    if (shortcut === 'escape') {
      if (picture.chosen.size === 0) return false
      actions.choose([], 'replace')
      this.announce(handTexts.chosen(0))
      return true
    }
    if (shortcut === 'mod+a') {
      const shown = Array.from(picture.scene.uids.keys()).filter(card => !picture.hidden.has(card))
      actions.choose(shown, 'replace')
      this.announce(handTexts.chosen(shown.length))
      return true
    }
    if (card !== null && this.#pressOn(shortcut, card)) return true
    if (!cardKeys.has(shortcut)) return this.#pressOnEntities(shortcut, card)
    this.announce(handTexts.needsCard)
    return true
  }

  #pressView(shortcut: string): boolean {
    const { actions } = this.#options.props()
    const view = this.#options.view()
    switch (shortcut) {
      case diagramKeys.zoomIn.shortcut:
        view?.zoomTo(view.camera.zoom * zoomStep)
        return true
      case diagramKeys.zoomOut.shortcut:
        view?.zoomTo(view.camera.zoom / zoomStep)
        return true
      case diagramKeys.fit.shortcut:
        view?.fit()
        return true
      case diagramKeys.showAll.shortcut:
        actions.showAll()
        return true
      default:
        return false
    }
  }

  #pressOn(shortcut: string, card: number): boolean {
    const { picture, actions } = this.#options.props()
    switch (shortcut) {
      case diagramKeys.choose.shortcut:
        actions.choose([card], 'toggle')
        this.#walk = null
        this.announce(this.describeCard(card))
        return true
      case diagramKeys.open.shortcut:
        actions.open(card)
        return true
      case diagramKeys.openBeside.shortcut:
        actions.open(card, true)
        return true
      case diagramKeys.relate.shortcut:
        this.startRelating(card)
        return true
      case diagramKeys.neighbourhood.shortcut:
        actions.showNeighbourhood(card, 1)
        this.announce(handTexts.shown(neighbourhood(picture.scene, card, 1).size))
        return true
      case diagramKeys.way.shortcut:
        this.#showWay(card)
        return true
      case diagramKeys.hide.shortcut:
        this.#hide(card)
        return true
      default:
        return false
    }
  }

  #pressOnEntities(shortcut: string, card: number | null): boolean {
    const { chosen, hidden } = this.#options.props().picture
    return this.#options.runForEntities(
      shortcut,
      card,
      [...chosen].filter(one => !hidden.has(one)),
    )
  }

  #showWay(card: number): void {
    const { picture, actions } = this.#options.props()
    const [one, other] = picture.chosen
    const hasOther = one !== undefined && picture.chosen.size === 1 && one !== card
    if (hasOther) actions.showWay(one, card)
    else if (one !== undefined && other !== undefined && picture.chosen.size === 2) actions.showWay(one, other)
    else this.announce(handTexts.needsTwo)
  }

  /** Hides cards, so that another one stays for the keys; shows a hidden one again. */
  #hide(card: number): void {
    const { picture, actions } = this.#options.props()
    if (picture.hidden.has(card)) {
      actions.setHidden([card], false)
      this.announce(this.describeCard(card))
      return
    }
    const cards = this.subjects(card)
    const left = { ...picture, hidden: new Set([...picture.hidden, ...cards]) }
    const { x, y } = picture.places
    const next = cardNear(left, { x: x[card]!, y: y[card]! })
    actions.setHidden(cards, true)
    actions.choose([], 'replace')
    const names = cards.map(one => picture.scene.names[one] ?? '')
    actions.focus(next ?? null)
    this.announce(handTexts.hidden(handTexts.several(names)))
  }

  #goTo(direction: Direction): boolean {
    const { picture } = this.#options.props()
    const { focused } = picture
    this.#walk = null
    if (focused === null || picture.hidden.has(focused)) {
      this.enter()
      return true
    }
    const next = nearestCard(picture, focused, direction)
    if (next === undefined) this.announce(handTexts.noNeighbour)
    else this.goToCard(next)
    return true
  }

  #walkAlong(step: 1 | -1): boolean {
    const { picture } = this.#options.props()
    const { focused, scene } = picture
    if (focused === null) return false
    const next = walked(picture, focused, this.#walk, step)
    this.#walk = next ?? null
    if (!next) this.announce(handTexts.noLinks(scene.names[focused] ?? ''))
    else {
      const { card, isReferredTo } = next.to
      const at = { at: next.at + 1, of: next.count }
      this.goToCard(card, handTexts.alongLink(scene.names[card] ?? '', isReferredTo, at))
    }
    return true
  }

  #nudgeBy(direction: Direction): boolean {
    const { focused, scene } = this.#options.props().picture
    if (focused === null) return false
    const view = this.#options.view()
    const nudge = nudgeIn(scene, this.#nudge) ?? { cards: this.subjects(focused), by: { x: 0, y: 0 }, scene }
    if (this.#nudge?.scene !== scene) view?.lift(nudge.cards)
    const { x, y } = unit[direction]
    const by = { x: nudge.by.x + x * snap, y: nudge.by.y + y * snap }
    this.#nudge = { ...nudge, by }
    view?.carry(by)
    return true
  }

  #pressRelating(shortcut: string): boolean {
    const { picture } = this.#options.props()
    const { relating } = this
    if (!relating) return false
    if (shortcut === 'escape') {
      this.relate(null)
      this.announce(texts.cancelled)
      return true
    }
    if (shortcut === 'enter') {
      this.related()
      return true
    }
    const start = relating.over ?? relating.from
    const arrow = arrowOf(shortcut)
    const next = arrow ? nearestCard(picture, start, arrow) : nextNamed(picture, start, shortcut)
    if (next !== undefined) {
      this.#options.view()?.reveal(next)
      this.relate({ ...relating, over: next, at: null })
    } else if (arrow) this.announce(handTexts.noNeighbour)
    return true
  }

  #preview(relating: Relating): void {
    const { picture } = this.#options.props()
    const { from, over, at } = relating
    const show = (preview: string) => {
      this.state.setState({ preview })
      if (preview !== '') this.announce(preview)
    }
    if (over === null) return show(at ? texts.newEntity : '')
    this.state.setState({ preview: texts.reading(picture.scene.names[over] ?? '') })
    const isCurrent = () => this.relating?.from === from && this.relating.over === over
    void this.#options
      .describe(from, over, this.#attributeOf(relating))
      .then(text => isCurrent() && show(text))
      // The reason is shown when the relationship is taken.
      .catch(() => undefined)
  }

  #attributeOf({ from, row }: Relating): string | undefined {
    if (row === undefined) return undefined
    return this.#options.props().picture.rows(from)?.[row]?.uid || undefined
  }

  #placeOf(card: number, change: { places?: DiagramProps['picture']['places']; except?: ReadonlySet<number> } = {}) {
    const { picture } = this.#options.props()
    const { places = picture.places, except } = change
    const beside = besideOf({ ...picture, places }, card, except)
    return beside ? handTexts.beside(beside.side, picture.scene.names[beside.of] ?? '') : ''
  }
}

const unit: Record<Direction, Point> = {
  left: { x: -1, y: 0 },
  right: { x: 1, y: 0 },
  up: { x: 0, y: -1 },
  down: { x: 0, y: 1 },
}

const zoomKeys: ReadonlySet<string> = new Set([diagramKeys.zoomIn.shortcut, diagramKeys.zoomOut.shortcut])

const { choose, open, openBeside, relate, neighbourhood: around, way, hide } = diagramKeys
/** Keys that need a card. */
const cardKeys: ReadonlySet<string> = new Set(
  [choose, open, openBeside, relate, around, way, hide].map(({ shortcut }) => shortcut),
)

function arrowOf(shortcut: string, modifier = ''): Direction | undefined {
  const key = shortcut.startsWith(modifier) ? shortcut.slice(modifier.length) : ''
  return key in unit ? (key as Direction) : undefined
}

/** The next shown card after `start` by name that begins with a letter, wrapping around. */
function nextNamed({ scene, hidden }: DiagramProps['picture'], start: number, letter: string): number | undefined {
  if (!/^[a-z0-9]$/.test(letter)) return undefined
  const order = Array.from(scene.names.keys())
    .filter(card => !hidden.has(card) && scene.names[card]!.toLowerCase().startsWith(letter))
    .toSorted((one, other) => (scene.names[one]! < scene.names[other]! ? -1 : 1))
  const after = order.find(card => scene.names[card]! > scene.names[start]!)
  return after ?? order[0]
}
