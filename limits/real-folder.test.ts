import { readArchive } from '@cadmus/formats/archive'
import { readCdm } from '@cadmus/formats/cdm/read'
import { hasSharedCdm, sharedBytes } from '@cadmus/formats/testing/shared-cdm'
import { expect, it } from 'vitest'
import { within } from './within.ts'

it.skipIf(!hasSharedCdm)('a real folder of 1,022 entities is read within five seconds', () => {
  const bytes = sharedBytes('zips/core-applicationCommon-full.zip')
  expect(within(5000, () => readCdm(readArchive(bytes))).entities).toHaveLength(1022)
})
