import { testStoredForms } from '@cadmus/model/testing/stored-samples'
import { join } from 'node:path'
import { pendingDraftsForm } from '../api/stored-drafts.ts'
import { storedDraftForm } from '../api/stored-draft-form.ts'
import { configurationDraftForm } from './configuration-store.ts'
import { textDraftForm } from '../text/text-draft-form.ts'
import { entityDraftForm } from './entity-store.ts'

testStoredForms(join(import.meta.dirname, '../../samples'), [
  entityDraftForm,
  configurationDraftForm,
  storedDraftForm,
  pendingDraftsForm,
  textDraftForm,
])
