import { expect, it, vi } from 'vitest'
import { closeDialogs, defineDialog, dialogStore, openDialog } from './dialogs.ts'

// It listens to the keyboard of a page.
vi.mock('./type-ahead.ts', () => ({ holdTyping: () => undefined }))

const never = () => new Promise<never>(() => undefined)
const wizard = defineDialog('wizard', never)
const question = defineDialog('question', never)
const ids = () => dialogStore.getState().open.map(({ id }) => id)

it('opens a dialog once when its key is pressed twice before it shows', () => {
  closeDialogs()
  openDialog(wizard, {})
  openDialog(wizard, {})
  expect(ids()).toEqual(['wizard'])
})

it('opens the same dialog again above another one', () => {
  closeDialogs()
  openDialog(wizard, {})
  openDialog(question, {})
  openDialog(wizard, {})
  expect(ids()).toEqual(['wizard', 'question', 'wizard'])
})
