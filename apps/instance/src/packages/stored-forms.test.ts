import { packageModelForm } from '@cadmus/model/api/package-model'
import { testStoredForms } from '@cadmus/model/testing/stored-samples'
import { join } from 'node:path'
import { databasesForm } from './databases.ts'
import { packageStateForm } from './package-folder.ts'

const packageRow = { ...packageModelForm, name: 'package row' }

testStoredForms(join(import.meta.dirname, '../../samples'), [packageStateForm, databasesForm, packageRow])
