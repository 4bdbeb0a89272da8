import { expect, it } from 'vitest'
import { nextFolderDialog, type FolderDialog, type FolderDialogEvent } from './folder-flow.ts'

const after = (...events: FolderDialogEvent[]) => events.reduce<FolderDialog>(nextFolderDialog, { step: 'validating' })
const problem = (severity: 'error' | 'warning') => ({ severity, code: 'external', message: severity, path: [] })
const valid: FolderDialogEvent = { type: 'validated', message: '', problems: [] }

it('validates a folder export, then requests the omissions', () => {
  const warnings = [problem('warning')]
  expect(after({ ...valid, problems: warnings })).toEqual({
    step: 'ready',
    warnings,
    omissions: 'loading',
    working: false,
    error: null,
  })
})

it('refuses a folder export on an error or a failed validation, and validates again once problems are resolved', () => {
  const problems = [problem('error')]
  const refused = after({ type: 'validated', message: 'error', problems })
  expect(refused).toEqual({ step: 'refused', message: 'error', problems })
  expect(nextFolderDialog(refused, { type: 'export' })).toBe(refused)
  expect(nextFolderDialog(refused, { type: 'resolved' })).toEqual({ step: 'validating' })
  expect(after({ type: 'refused', message: 'Validation failed' })).toMatchObject({ step: 'refused', problems: [] })
})

it('the dialog reports a failed folder export and is not closed', () => {
  expect(after(valid, { type: 'omissions', omissions: ['x'] }, { type: 'export' })).toMatchObject({
    omissions: ['x'],
    working: true,
  })
  expect(after(valid, { type: 'export' }, { type: 'failed', message: 'No.' })).toMatchObject({
    working: false,
    error: 'No.',
  })
  expect(after(valid, { type: 'omissions', omissions: null })).toMatchObject({ step: 'ready', omissions: null })
  // A response about the manifest's earlier state.
  expect(after({ type: 'omissions', omissions: ['x'] })).toEqual({ step: 'validating' })
})
