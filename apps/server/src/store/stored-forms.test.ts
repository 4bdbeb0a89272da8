import { testStoredForms } from '@cadmus/model/testing/stored-samples'
import { join } from 'node:path'
import { buildSettingsForm } from '../commands/package/package-zip.ts'
import { libraryUpdateForm } from '../library/load-library.ts'
import { frozenPlacementsForm } from './frozen-view-forms.ts'
import { manifestSnapshotForm } from './manifest-snapshot.ts'
import { restorationForm } from './audit.ts'

testStoredForms(join(import.meta.dirname, '../../samples'), [
  manifestSnapshotForm,
  frozenPlacementsForm,
  restorationForm,
  buildSettingsForm,
  libraryUpdateForm,
])
