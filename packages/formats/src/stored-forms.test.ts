import { join } from 'node:path'
import { testStoredForms } from '@cadmus/model/testing/stored-samples'
import { entityDocumentForm } from '@cadmus/model/entity-document'
import { sidecarForm } from './cdm/sidecar.ts'
import { deliveryForm } from './package/delivery.ts'

testStoredForms(join(import.meta.dirname, '../samples'), [entityDocumentForm, sidecarForm, deliveryForm])
