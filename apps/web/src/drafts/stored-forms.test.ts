import { testStoredForms } from '@cadmus/model/testing/stored-samples'
import { join } from 'node:path'
import { pendingDraftsForm } from '../api/stored-drafts.ts'
import { storedDraftForm } from '../api/stored-draft-form.ts'
import { configurationDraftForm } from '../features/configuration/configuration-store.ts'
import { entityDraftForm } from '../features/entity/entity-store.ts'

testStoredForms(join(import.meta.dirname, '../../samples'), [
  entityDraftForm,
  configurationDraftForm,
  storedDraftForm,
  pendingDraftsForm,
])
