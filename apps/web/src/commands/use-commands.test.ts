import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { listenForKeys, offerCommands } from './use-commands.ts'

const target = new EventTarget()
const leaves: (() => void)[] = []
// The listener asks for the element that has the focus.
beforeEach(() => {
  for (const name of ['Element', 'HTMLElement']) vi.stubGlobal(name, class {})
})
afterEach(() => {
  for (const leave of leaves.splice(0)) leave()
  vi.unstubAllGlobals()
})

function press(): void {
  const keys = { key: 'z', code: 'KeyZ', ctrlKey: true, metaKey: false, altKey: false, shiftKey: false, repeat: false }
  target.dispatchEvent(Object.assign(new Event('keydown', { cancelable: true }), keys))
}

it('a command that yields takes a key only if no other command can be run, wherever it stands', () => {
  const ran: string[] = []
  const state = { isLocked: false }
  const command = (id: string, yields: boolean) => ({
    id,
    label: id,
    shortcut: 'mod+z',
    yields,
    disabled: () => !yields && state.isLocked && 'because',
    run: () => void ran.push(id),
  })
  leaves.push(offerCommands([command('first', true)], {}), offerCommands([command('own', false)], {}))
  leaves.push(offerCommands([command('last', true)], {}), listenForKeys(target as unknown as Window))
  press()
  state.isLocked = true
  press()
  expect(ran).toEqual(['own', 'last'])
})
