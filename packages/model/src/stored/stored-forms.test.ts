import { join } from 'node:path'
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
