import { join } from 'node:path'
import { expect, it } from 'vitest'
import { packageModelForm } from '../api/package-model.ts'
import { configurationForm } from '../configuration.ts'
import { configurationContentForm, entityForm, manifestForm } from '../content.ts'
import { editForms } from '../edits/edit-forms.ts'
import { testStoredForms } from '../testing/stored-samples.ts'

testStoredForms(join(import.meta.dirname, '../../samples'), [
  entityForm,
  manifestForm,
  configurationForm,
  configurationContentForm,
  packageModelForm,
  ...Object.values(editForms),
])

it('a new format of entities comes with a new format of edits, which have their attributes and relationships', () => {
  // Increase both, and add the upgrade of parts to `edit-forms.ts`.
  expect([entityForm.format, editForms.entity.format]).toEqual([2, 1])
})
