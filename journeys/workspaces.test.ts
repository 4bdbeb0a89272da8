import { holds } from '@cadmus/testing/holds'
import { expect, it } from 'vitest'
import { apiOf } from './driver/api.ts'
import { openDesk } from './driver/desk.ts'
import { offers, openEntity } from './driver/document.ts'
import { property } from './driver/entity.ts'
import { menu, nodeAt } from './driver/tree.ts'
import { dialog, expectShown, press } from './driver/widgets.ts'

const { page } = await openDesk()
const api = apiOf(page)
const yard = await api.createManifest('Yard')
await api.addSubManifest(yard, await api.createManifest('Annex'))
await api.createEntity({ name: 'Shed' }, yard)
await page.reload()

it('the workspace in which it lies is read of each thing: predefined or user-defined', holds('E3.65'), async () => {
  const answers: Promise<string>[] = []
  page.on('response', answer => {
    if (/\/1\.0\/cdm\/(entity|manifest)[^?]*(\?|$)/.test(answer.url())) answers.push(answer.text().catch(() => ''))
  })
  await page.goto('/')
  const loose = await api.createEntity({ name: 'Loose' })
  for (const [path, group, said] of [
    [['Standard', 'Entities', 'parties', 'Contact'], 'Entity', 'predefined/parties/Contact'],
    [['Standard', 'Manifests', 'parties', 'parties'], 'Manifest', 'predefined/parties/parties'],
    [['Custom', 'Manifests', 'Yard'], 'Manifest', 'user-defined/Yard'],
    [['Custom', 'Manifests', 'Yard', 'Sub-Manifests', 'Annex'], 'Manifest', 'user-defined/Annex'],
    [['Custom', 'Manifests', 'Yard', 'Entities', 'Shed'], 'Entity', 'user-defined/Yard/Shed'],
  ] as const) {
    await (await nodeAt(page, ...path)).dblclick()
    await expectShown(property(page, group, 'Path').getByText(said, { exact: true }))
  }
  await openEntity(page, loose)
  await expectShown(property(page, 'Entity', 'Path').getByText('user-defined/Loose', { exact: true }))
  await menu(page, await nodeAt(page, 'Custom', 'Manifests', 'Yard'), 'Add Entity')
  const open = dialog(page, 'Add Entity')
  await open.getByText('Advance Filters', { exact: true }).click()
  const places = (await offers(page, open, 'Entity', 'Contact')).join(' ')
  expect(places).toContain('predefined/parties')
  await page.keyboard.press('Escape')
  const workspaces = (texts: readonly string[]) => [...new Set(texts.map(text => text.split('/')[0]))].toSorted()
  expect(workspaces(await offers(page, open, 'By Folder'))).toEqual(['predefined', 'user-defined'])
  await page.keyboard.press('Escape')
  await press(open, 'Close')
  const told = (await Promise.all(answers)).flatMap(text =>
    [...text.matchAll(/"location":"([^"/]*)/g)].map(([, name]) => name),
  )
  expect([...new Set(told)].toSorted()).toEqual(['predefined', 'user-defined'])
})
