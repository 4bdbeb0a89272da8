import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { clinic, sceneOf } from '../testing/clinic-scene.ts'
import { besideOf, cardNear, type Direction, nearestCard, neighboursOf, type Walk, walked } from './nearest.ts'

const named = (placed: ReturnType<typeof sceneOf>, card: number | undefined) =>
  card === undefined ? undefined : placed.scene.names[card]

describe('arrow keys in the diagram', () => {
  it.each([
    ['Visit', 'up', 'Patient'],
    ['Visit', 'down', 'Bill'],
    ['Visit', 'right', 'Doctor'],
    ['Doctor', 'left', 'Visit'],
    ['Patient', 'down', 'Visit'],
    ['Patient', 'up', undefined],
  ] as const)('from %s %s leads to %s', (from, direction, to) => {
    const placed = clinic()
    expect(named(placed, nearestCard(placed, placed.indexOf(from), direction))).toBe(to)
  })

  it('a card straight ahead is preferred to a nearer one far aside', () => {
    const placed = sceneOf([
      { name: 'Start', x: 0, y: 0 },
      { name: 'Aside', x: 100, y: 300 },
      { name: 'Ahead', x: 900, y: 0 },
    ])
    expect(named(placed, nearestCard(placed, 0, 'right'))).toBe('Ahead')
  })

  it('hidden cards are skipped', () => {
    const placed = clinic()
    placed.hidden.add(placed.indexOf('Visit'))
    expect(named(placed, nearestCard(placed, placed.indexOf('Patient'), 'down'))).toBe('Bill')
  })

  it('reach every shown card from any other in some sequence', () => {
    const places = fc.uniqueArray(fc.tuple(fc.integer({ min: 0, max: 30 }), fc.integer({ min: 0, max: 30 })), {
      minLength: 2,
      maxLength: 12,
      selector: String,
    })
    fc.assert(
      fc.property(places, all => {
        const placed = sceneOf(all.map(([x, y], at) => ({ name: `E${at}`, x: x * 260, y: y * 90 })))
        const reached = new Set([0])
        for (const card of reached)
          for (const direction of ['left', 'right', 'up', 'down'] satisfies Direction[]) {
            const next = nearestCard(placed, card, direction)
            if (next !== undefined) reached.add(next)
          }
        expect(reached.size).toBe(all.length)
      }),
    )
  })
})

describe('place of a card in words', () => {
  it.each([
    ['Doctor', 'right', 'Visit'],
    ['Patient', 'up', 'Visit'],
    ['Bill', 'down', 'Visit'],
  ] as const)('%s is on the side "%s" of %s', (name, side, of) => {
    const placed = clinic()
    expect(besideOf(placed, placed.indexOf(name))).toEqual({ side, of: placed.indexOf(of) })
  })

  it('cards that move along are not named', () => {
    const placed = clinic()
    const [visit, doctor] = [placed.indexOf('Visit'), placed.indexOf('Doctor')]
    expect(named(placed, besideOf(placed, doctor, new Set([visit]))?.of)).not.toBe('Visit')
  })

  it('a single card has none', () => {
    expect(besideOf(sceneOf([{ name: 'One', x: 0, y: 0 }]), 0)).toBeUndefined()
  })

  it('the nearest card to a point is the one whose middle is nearest', () => {
    const placed = clinic()
    expect(named(placed, cardNear(placed, { x: 500, y: 250 }))).toBe('Doctor')
  })
})

describe('walk along links', () => {
  it('neighbours are first those referred to, without self references', () => {
    const placed = clinic()
    const names = neighboursOf(placed, placed.indexOf('Visit')).map(({ card }) => named(placed, card))
    expect(names).toEqual(['Patient', 'Doctor', 'Bill'])
    expect(neighboursOf(placed, placed.indexOf('Doctor')).map(({ card }) => named(placed, card))).toEqual(['Visit'])
  })

  it('steps through the neighbours of the card where it began and wraps around', () => {
    const placed = clinic()
    let walk: Walk | null = null
    let focused = placed.indexOf('Visit')
    const visited = [1, 1, 1, 1, -1, -1].map(step => {
      const next = walked(placed, focused, walk, step === 1 ? 1 : -1)
      if (!next) throw new Error('There are links.')
      ;[walk, focused] = [next, next.to.card]
      return named(placed, focused)
    })
    expect(visited).toEqual(['Patient', 'Doctor', 'Bill', 'Patient', 'Bill', 'Doctor'])
  })

  it('begins anew at a card that was focused otherwise', () => {
    const placed = clinic()
    const walk = { start: placed.indexOf('Visit'), at: 0 }
    expect(named(placed, walked(placed, placed.indexOf('Doctor'), walk, 1)?.to.card)).toBe('Visit')
  })

  it('ends where nothing is linked or all of it is hidden', () => {
    const placed = clinic()
    placed.hidden.add(placed.indexOf('Visit'))
    expect(walked(placed, placed.indexOf('Patient'), null, 1)).toBeUndefined()
  })
})
