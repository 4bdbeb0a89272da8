import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { closeDialogs, defineDialog, dialogStore, openDialog } from './dialogs.ts'

// Opening a dialog buffers key presses. A mock of that module would not reach files that share their modules.
const listening = { addEventListener: () => undefined, removeEventListener: () => undefined }
beforeEach(() => void vi.stubGlobal('window', { setTimeout: () => 0, ...listening }))
afterEach(() => {
  closeDialogs()
  vi.unstubAllGlobals()
})

const never = () => new Promise<never>(() => undefined)
const wizard = defineDialog('wizard', never)
const question = defineDialog('question', never)
const ids = () => dialogStore.getState().open.map(({ id }) => id)

it('pressing a key twice before its dialog shows opens one dialog', () => {
  closeDialogs()
  openDialog(wizard, {})
  openDialog(wizard, {})
  expect(ids()).toEqual(['wizard'])
})

it('the same dialog can be opened again above another one', () => {
  closeDialogs()
  openDialog(wizard, {})
  openDialog(question, {})
  openDialog(wizard, {})
  expect(ids()).toEqual(['wizard', 'question', 'wizard'])
})

it('dialogs about different subjects both open; another callback does not make another subject', () => {
  const place = defineDialog<{ at: { id: number }; onFinish: () => void }>('place', never)
  closeDialogs()
  openDialog(place, { at: { id: 1 }, onFinish: () => undefined })
  openDialog(place, { at: { id: 1 }, onFinish: () => undefined })
  expect(ids()).toEqual(['place'])
  openDialog(place, { at: { id: 2 }, onFinish: () => undefined })
  expect(ids()).toEqual(['place', 'place'])
})
