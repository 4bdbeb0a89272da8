import { describe, expect, it, vi } from 'vitest'
import { labelOf, whyDisabled } from '../commands/command.ts'
import { type DiagramContext, type OtherSteps, undoButtons } from './diagram-commands.ts'

const step = { label: 'Relate Visit', canUndo: () => true, undo: vi.fn(), canRedo: () => true, redo: vi.fn() }

function shown(done: readonly object[], others: Partial<OtherSteps> | null) {
  const take = vi.fn()
  const store = { undo: vi.fn(), redo: vi.fn() }
  const context = { store, state: { session: { done, undone: [] } }, others: others && { take, ...others } }
  const [undo, redo] = undoButtons.map(command => ({
    label: labelOf(command, context as unknown as DiagramContext),
    disabled: whyDisabled(command, context as unknown as DiagramContext),
    press: () => command.run(context as unknown as DiagramContext),
  }))
  return { undo: undo!, redo: redo!, take, store }
}

describe('Undo in the toolbar of a diagram', () => {
  it('takes back what was done in the diagram first', () => {
    const { undo, take, store } = shown([step], { undo: 'Visit: Renamed' })
    expect([undo.label, undo.disabled]).toEqual(['Undo: Relate Visit', false])
    void undo.press()
    expect([store.undo.mock.calls.length, take.mock.calls.length]).toEqual([1, 0])
  })

  it('goes on with the saved changes of the manifest, also after a reload', () => {
    const { undo, redo, take, store } = shown([], { undo: 'Visit: Renamed, saved' })
    expect([undo.label, undo.disabled]).toEqual(['Undo: Visit: Renamed, saved', false])
    void undo.press()
    expect([store.undo.mock.calls.length, take.mock.calls]).toEqual([0, [['undo']]])
    expect([redo.label, redo.disabled]).toEqual(['Redo', expect.any(String)])
  })

  it('is disabled where nothing is left, and in diagrams of other documents', () => {
    for (const others of [{}, null]) expect(shown([], others).undo.disabled).toEqual(expect.any(String))
  })
})
