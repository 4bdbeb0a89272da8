import { visibleText } from '@cadmus/model/display'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fitted, textWidth, wrapped } from './text-fit.ts'

describe('texts that have little room', () => {
  it('stay whole where they fit and end with an ellipsis where they do not', () => {
    expect(fitted('customer_id', 200, 12)).toBe('customer_id')
    expect(fitted('customer_identification_number', 80, 12)).toMatch(/^customer_\w*…$/)
    expect(fitted('customer', 3, 12)).toBe('')
    expect(fitted('am\u200Bount', 200, 12)).toBe('am‹U+200B›ount')
  })

  it('are never wider than their room and never lose half of a character', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 0, max: 300 }), (text, room) => {
        const shown = fitted(text, room, 12)
        expect(textWidth(shown, 12)).toBeLessThanOrEqual(room)
        expect(text.isWellFormed() && !shown.isWellFormed()).toBe(false)
        const whole = visibleText(text)
        expect(shown === whole || whole.startsWith(shown.slice(0, -1))).toBe(true)
      }),
    )
  })

  it.each([
    ['CustomerOrder', ['Customer', 'Order']],
    ['customer_order', ['customer_', 'order']],
    ['HTTPServer', ['HTTP', 'Server']],
    ['customer order', ['customer', 'order']],
    ['Kunde', ['Kunde']],
    ['', []],
  ])('%s is broken between its words', (name, lines) => {
    expect(wrapped(name, 64, 3, 12)).toEqual(lines)
  })

  it('share lines where words fit, and the last line has the rest', () => {
    expect(wrapped('CustomerOrderLine', 300, 2, 12)).toEqual(['CustomerOrderLine'])
    expect(wrapped('CustomerOrderLineItem', 62, 2, 12)).toEqual(['Customer', expect.stringMatching(/^Order.*…$/)])
  })
})
