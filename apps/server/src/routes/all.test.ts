import { allCalls } from '@cadmus/model/testing/calls'
import { describe, expect, it } from 'vitest'
import { allRoutes } from './all.ts'

describe('Calls and handlers', () => {
  it('every call has a handler', () => {
    const handled = new Set(allRoutes.map(({ call }) => call.id))
    const forgotten = Object.values(allCalls).filter(call => !handled.has(call.id))
    expect(forgotten.map(call => call.id)).toEqual([])
  })

  it('no handler occurs twice or lacks a call', () => {
    const declared = new Set(Object.values(allCalls).map(call => call.id))
    const handled = allRoutes.map(({ call }) => call.id)
    expect(handled.filter(id => !declared.has(id))).toEqual([])
    expect(new Set(handled).size).toBe(handled.length)
  })

  it('every path is declared once', () => {
    const places = Object.values(allCalls).map(({ method, path }) => `${method} ${path.replaceAll(/\{\w+\}/g, '{}')}`)
    expect(new Set(places).size).toBe(places.length)
  })
})
