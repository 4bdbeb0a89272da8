import { expect, it, vi } from 'vitest'
import { closeDialogs, defineDialog, dialogStore, openDialog } from './dialogs.ts'

// The real module needs a page's keyboard events.
vi.mock('./type-ahead.ts', () => ({ holdTyping: () => undefined }))

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
