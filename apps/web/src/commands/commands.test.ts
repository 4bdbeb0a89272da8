import { describe, expect, it, vi } from 'vitest'
import { noticeStore } from '../ui/notices.ts'
import { runByKey, runCommand, type Command } from './command.ts'
import { entriesOf } from './entries.ts'
import { shortcutOf } from './keys.ts'

type Context = { own: boolean; count: number }
const own: Context = { own: true, count: 2 }
const none = { ctrlKey: false, metaKey: false, altKey: false, shiftKey: false }

function command(id: string, more: Partial<Command<Context>> = {}): Command<Context> {
  return { id, label: id, run: () => {}, ...more }
}

describe('commands', () => {
  it('runCommand runs only visible and enabled commands', () => {
    const run = vi.fn()
    expect(runCommand(command('a', { run, visible: ({ own }) => own }), { own: false, count: 0 })).toBe(false)
    expect(runCommand(command('a', { run, disabled: () => 'Predefined content is read-only.' }), own)).toBe(false)
    expect(run).not.toHaveBeenCalled()
    expect(runCommand(command('a', { run }), own)).toBe(true)
    expect(run).toHaveBeenCalledExactlyOnceWith(own)
  })

  it('a key of a row runs the first visible command, or says why it is disabled', () => {
    const run = vi.fn()
    const hidden = command('a', { visible: () => false, run })
    runByKey([hidden, command('b', { disabled: () => 'Locked for a test.' }), command('c', { run })], own)
    expect(run).not.toHaveBeenCalled()
    expect(noticeStore.getState().notices.map(({ text }) => text)).toContain('Locked for a test.')
    runByKey([hidden, command('c', { run })], own)
    expect(run).toHaveBeenCalledExactlyOnceWith(own)
  })
})

describe('menus from commands', () => {
  it('menu entries omit hidden commands and keep disabled ones with their reason', () => {
    const entries = entriesOf(
      [
        command('a', { visible: () => false }),
        command('b', { disabled: () => 'because' }),
        command('c', { label: ({ count }) => `c ${count}` }),
      ],
      own,
    )
    expect(entries).toMatchObject([
      { kind: 'item', id: 'b', disabled: 'because' },
      { kind: 'item', id: 'c', label: 'c 2', disabled: false },
    ])
  })

  it('menu entries have separators between groups and never at the ends', () => {
    const entries = entriesOf(
      [
        command('hidden', { group: 'x', visible: () => false }),
        command('a', { group: 'one' }),
        command('b', { group: 'one' }),
        command('c', { group: 'two' }),
      ],
      own,
    )
    expect(entries.map(entry => entry.kind)).toEqual(['item', 'item', 'separator', 'item'])
  })

  it('menu entries collect the commands of a submenu', () => {
    const entries = entriesOf(
      [command('a', { submenu: 'Export' }), command('b', { submenu: 'Export' }), command('c')],
      own,
    )
    expect(entries).toMatchObject([
      { kind: 'submenu', label: 'Export', entries: [{ id: 'a' }, { id: 'b' }] },
      { kind: 'item', id: 'c' },
    ])
  })
})

describe('shortcuts', () => {
  it.each([
    [{ ...none, key: 'k', ctrlKey: true }, 'mod+k'],
    [{ ...none, key: 'Z', metaKey: true, shiftKey: true }, 'mod+shift+z'],
    [{ ...none, key: '?', shiftKey: true }, '?'],
    [{ ...none, key: 'ArrowUp', altKey: true }, 'alt+up'],
    [{ ...none, key: 'F6', ctrlKey: true }, 'mod+f6'],
    [{ ...none, key: 'F2' }, 'f2'],
  ])('the shortcut of key press %o is %s', (event, shortcut) => {
    expect(shortcutOf(event)).toBe(shortcut)
  })
})
