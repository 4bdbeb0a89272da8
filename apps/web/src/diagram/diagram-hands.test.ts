import type { Point } from '@cadmus/diagram/geometry'
import { beforeEach, describe, expect, it } from 'vitest'
import { clinic } from '../testing/clinic-scene.ts'
import { recordedActions, type Recorded } from '../testing/recorded-actions.ts'
import { DiagramHands } from './diagram-hands.ts'
import type { Camera } from './diagram.ts'
import type { HandsView } from './hands.ts'

const [patient, visit, doctor, bill] = [0, 1, 2, 3]

let recorded: Recorded
let view: HandsView & {
  camera: Camera
  revealed: number[]
  lifted: readonly number[]
  carried: Point[]
  lines: unknown[]
}
let hands: DiagramHands
let locked: string | null
let tree: [string, number | null, readonly number[]][]

beforeEach(() => {
  recorded = recordedActions(clinic())
  locked = null
  tree = []
  view = {
    camera: { x: 100, y: 20, zoom: 1 },
    revealed: [],
    lifted: [],
    carried: [],
    lines: [],
    look: camera => void (view.camera = camera),
    zoomTo: zoom => void (view.camera = { ...view.camera, zoom }),
    fit: () => void (view.camera = { x: 0, y: 0, zoom: 0.5 }),
    reveal: card => void view.revealed.push(card),
    hit: () => ({ kind: 'ground' }),
    toWorld: point => point,
    toScreen: point => point,
    lift: cards => void (view.lifted = cards),
    carry: by => void view.carried.push(by),
    drop: () => void (view.lifted = []),
    band: () => undefined,
    hover: () => undefined,
    draft: line => void view.lines.push(line),
  }
  hands = new DiagramHands({
    props: () => ({ picture: recorded.picture, actions: recorded.actions, locked }),
    view: () => view,
    describe: async (from, target, attribute) =>
      [recorded.picture.scene.names[from], recorded.picture.scene.names[target], attribute].join(' '),
    runForEntities: (...call) => {
      tree.push(call)
      const [shortcut] = call
      return shortcut === 'delete'
    },
  })
})

const changeModel = (change: (uids: readonly string[]) => readonly string[] = uids => uids) => {
  const { scene } = recorded.picture
  recorded.picture = { ...recorded.picture, scene: { ...scene, uids: change(scene.uids) } }
}
const announced = () => hands.state.getState().announcement.text
const press = (...shortcuts: string[]) => shortcuts.map(shortcut => hands.press(shortcut))

describe('keys of the diagram', () => {
  it('the first arrow goes to the card in the middle, further ones to the nearest that way', () => {
    press('down')
    expect(recorded.picture.focused).toBe(patient)
    press('down', 'right')
    expect(recorded.picture.focused).toBe(doctor)
    expect(view.revealed).toEqual([visit, doctor])
    expect(announced()).toBe('Doctor, right of Visit')
    press('right')
    expect([recorded.picture.focused, announced()]).toEqual([doctor, 'There is no entity that way.'])
  })

  it('] and [ walk along the relationships of the entity where they began', () => {
    recorded.actions.focus(visit)
    press(']')
    expect(announced()).toBe('Patient, referred to, 1 of 3')
    press(']', ']')
    expect(announced()).toBe('Bill, refers here, 3 of 3')
    press('[')
    expect(recorded.picture.focused).toBe(doctor)
    press(' ', ']')
    expect(recorded.picture.focused).toBe(visit)
  })

  it('Space chooses the card and takes it out again; Ctrl+A chooses what is shown, Escape nothing', () => {
    recorded.actions.focus(visit)
    press(' ')
    expect([...recorded.picture.chosen]).toEqual([visit])
    expect(announced()).toBe('Visit, chosen, below Patient')
    press(' ')
    expect([...recorded.picture.chosen]).toEqual([])
    recorded.actions.setHidden([bill], true)
    press('mod+a')
    expect([[...recorded.picture.chosen], announced()]).toEqual([[patient, visit, doctor], '3 entities chosen'])
    expect(press('escape', 'escape')).toEqual([true, false])
    expect([...recorded.picture.chosen]).toEqual([])
  })

  it('Enter opens, with Ctrl beside; G shows the neighbourhood; P the path to the chosen entity', () => {
    recorded.actions.choose([patient], 'replace')
    recorded.actions.focus(bill)
    press('enter', 'mod+enter', 'g', 'p')
    expect(recorded.calls).toEqual([
      ['open', bill],
      ['open', bill, true],
      ['showNeighbourhood', bill, 1],
      ['showWay', patient, bill],
    ])
  })

  it('P asks for two entities if there is only one', () => {
    recorded.actions.focus(bill)
    press('p')
    expect([recorded.calls, announced()]).toEqual([[], 'Choose two entities.'])
  })

  it('H hides the choice and goes to the nearest entity left; H on a hidden one shows it', () => {
    recorded.actions.choose([visit, bill], 'replace')
    recorded.actions.focus(visit)
    press('h')
    expect([...recorded.picture.hidden]).toEqual([visit, bill])
    expect([recorded.picture.focused, [...recorded.picture.chosen]]).toEqual([patient, []])
    expect(announced()).toBe('2 entities hidden')
    recorded.actions.focus(bill)
    press('h')
    expect([...recorded.picture.hidden]).toEqual([visit])
  })

  it('+ and − zoom while they are held down, 1 shows everything', () => {
    press('+', '=')
    expect(view.camera.zoom).toBeCloseTo(2)
    hands.press('-', true)
    expect(view.camera.zoom).toBeCloseTo(Math.SQRT2)
    press('1')
    expect(view.camera.zoom).toBe(0.5)
  })

  it('a command of the tree applies to the entity of the keys', () => {
    recorded.actions.focus(doctor)
    expect(press('delete', 'f9')).toEqual([true, false])
    expect(tree).toEqual([
      ['delete', doctor, []],
      ['f9', doctor, []],
    ])
  })

  it('a command of the tree gets the shown ones of the choice, also without an entity of the keys', () => {
    recorded.actions.choose([patient, visit, bill], 'replace')
    recorded.actions.setHidden([bill], true)
    expect(press('delete')).toEqual([true])
    recorded.actions.focus(patient)
    hands.press('delete', false, null)
    expect(tree).toEqual([
      ['delete', null, [patient, visit]],
      ['delete', null, [patient, visit]],
    ])
  })

  it('a held key opens an entity once', () => {
    recorded.actions.focus(doctor)
    hands.press('enter')
    hands.press('enter', true)
    expect(recorded.calls).toHaveLength(1)
  })
})

describe('Alt and arrow keys', () => {
  it('move the choice by 8 px a press, as one step when Alt is released', () => {
    recorded.actions.choose([visit, bill], 'replace')
    recorded.actions.focus(visit)
    press('alt+right', 'alt+right', 'alt+down')
    expect([view.lifted, view.carried.at(-1), recorded.moves]).toEqual([[visit, bill], { x: 16, y: 8 }, []])
    hands.endNudge()
    expect(view.lifted).toEqual([])
    expect(recorded.moves).toEqual([
      {
        label: 'Move 2 entities',
        moved: [
          [visit, { x: 16, y: 208 }],
          [bill, { x: 36, y: 408 }],
        ],
      },
    ])
    expect(announced()).toBe('2 entities moved, below Patient')
    hands.endNudge()
    expect(recorded.moves).toHaveLength(1)
  })

  it('go on with the same entity, wherever it now is in the model', () => {
    recorded.actions.focus(visit)
    press('alt+right')
    changeModel(uids => uids.with(visit, uids[doctor] ?? '').with(doctor, uids[visit] ?? ''))
    press('alt+right')
    expect(view.lifted).toEqual([doctor])
    hands.endNudge()
    expect([view.lifted, recorded.moves]).toMatchObject([[], [{ moved: [[doctor, { x: 416, y: 220 }]] }]])
  })

  it('move nothing if the entity was deleted before Alt is released', () => {
    recorded.actions.focus(visit)
    press('alt+right')
    changeModel(uids => uids.with(visit, 'another'))
    hands.endNudge()
    expect([view.lifted, recorded.moves]).toEqual([[], []])
  })

  it('end with the next other key', () => {
    recorded.actions.focus(doctor)
    press('alt+up', 'left')
    expect(recorded.moves).toEqual([{ label: 'Move Doctor', moved: [[doctor, { x: 400, y: 212 }]] }])
  })
})

describe('a relationship drawn by keys', () => {
  beforeEach(() => recorded.actions.focus(visit))

  it('R, an arrow and Enter take the nearest entity that way', async () => {
    press('r')
    expect(announced()).toContain('New relationship of Visit')
    press('right')
    expect(view.lines.at(-1)).toEqual({ from: visit, row: undefined, to: doctor })
    await expect.poll(() => hands.state.getState().preview).toBe('Visit Doctor ')
    press('enter')
    expect(recorded.calls).toEqual([['relate', visit, doctor, { attribute: undefined }]])
    expect(hands.relating).toBeNull()
    expect(view.lines.at(-1)).toBeNull()
  })

  it('a letter goes to the next entity whose name begins with it', () => {
    press('r', 'b')
    expect(hands.relating?.over).toBe(bill)
    press('x')
    expect(hands.relating?.over).toBe(bill)
  })

  it('Escape and Enter without an entity add none', () => {
    press('r', 'escape')
    expect([hands.relating, announced()]).toEqual([null, 'No relationship was added.'])
    press('r', 'enter')
    expect(recorded.calls).toEqual([])
  })

  it('is given up if the model has changed, because cards have other indexes then', () => {
    recorded.actions.focus(visit)
    press('r', 'right')
    changeModel()
    press('enter')
    expect(recorded.calls).toEqual([])
    expect(announced()).toBe('No relationship was added.')
  })

  it('is not begun where none can be drawn', () => {
    locked = 'An old version cannot be changed.'
    press('r')
    expect([hands.relating, announced()]).toEqual([null, locked])
  })

  it('dropped on the ground asks for a new entity at that place', () => {
    hands.relate({ from: visit, row: undefined, over: null, at: { x: 700, y: 80 } })
    expect(hands.state.getState().preview).toBe('New entity here')
    hands.related()
    expect(recorded.calls).toEqual([['relate', visit, null, { attribute: undefined, at: { x: 700, y: 80 } }]])
  })

  it('from a row names the attribute of the row', () => {
    const row = { uid: 'u-reason', name: 'reason', type: 'string', kind: 'attribute', nullable: false } as const
    recorded.picture = { ...recorded.picture, rows: card => (card === visit ? [row] : undefined) }
    hands.relate({ from: visit, row: 0, over: patient, at: { x: 0, y: 0 } })
    hands.related()
    expect(recorded.calls).toEqual([['relate', visit, patient, { attribute: 'u-reason' }]])
  })
})
