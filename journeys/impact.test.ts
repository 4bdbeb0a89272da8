import { expect, it } from 'vitest'
import { expectAccessible } from './driver/accessible.ts'
import { apiOf } from './driver/api.ts'
import { openEntity, tool } from './driver/document.ts'
import { entityDocument, names, row, setText } from './driver/entity.ts'
import { startJourney } from './driver/journey.ts'
import { expectShown, press, question, snackbar } from './driver/widgets.ts'

const { page } = await startJourney()
const api = apiOf(page)

it('saving a renamed attribute that another manifest refers to names the place; Cancel keeps the draft and Save stores', async () => {
  const [clinic, billing] = [await api.createManifest('Ward_Clinic'), await api.createManifest('Ward_Billing')]
  const patient = await api.createEntity({ name: 'Ward_Patient', typeAttributes: [{ name: 'taxNumber' }] }, clinic)
  const visit = await api.createEntity({ name: 'Ward_Visit' }, billing)
  await api.relate(visit.id, patient, 'patientId')
  await openEntity(page, patient)
  await row(page, 'Type attributes', 'id').click()
  await setText(page, 'Type Attribute', 'Name', 'patientNumber')
  const document = entityDocument(page, 'Ward_Patient')
  await expectShown(document.getByRole('status').getByText(/used by one place in one manifest/i))
  await page.keyboard.press('Control+s')
  const opened = question(page, 'Save Entity')
  await expectShown(opened.getByRole('link', { name: 'Ward_Visit' }))
  await expectShown(opened.getByText('relationship patientId to Ward_Patient.id'))
  await expectAccessible(page, 'impact-question')
  await press(opened, 'Cancel')
  await opened.waitFor({ state: 'detached' })
  await expect.poll(() => names(page, 'Type attributes')).toEqual(['patientNumber', 'taxNumber'])
  expect((await api.entityOf(patient.id)).primaryKey).toBe('id')
  await page.keyboard.press('Control+s')
  await press(opened, 'Save')
  await expectShown(snackbar(page, 'Entity saved successfully!'))
  await expect.poll(async () => (await api.entityOf(patient.id)).primaryKey).toBe('patientNumber')
  await tool(page, 'What Depends on This').click()
  const shown = question(page, 'What Depends on Ward_Patient')
  await expectShown(shown.getByText('relationship patientId to Ward_Patient.patientNumber'))
  await press(shown, 'Close')
})
