import { holds } from '@cadmus/testing/holds'
import { describe, expect, it } from 'vitest'
import { record, send, tool } from './driver/document.ts'
import { openDesk, openPage, shoot } from './driver/desk.ts'
import { entityDocument, names, property, setText } from './driver/entity.ts'
import { arriveAsAdmin, jsonTabOn } from './driver/json-tab.ts'
import { nodeAt } from './driver/tree.ts'
import { dialog, expectShown, press, question, snackbar } from './driver/widgets.ts'

const desk = await openDesk({ user: 'nobody' })
const { page } = desk
await arriveAsAdmin(page)
const { node, open, save, stored, tree, type } = jsonTabOn(page)

describe('The tree of the content', () => {
  it(
    'unfolds by keys and by mouse, edits values in their places, and is saved with the content',
    holds('E2.57', 'E2.70', 'E2.98', 'E2.103', 'E7.85'),
    async () => {
      const entity = await open()
      await expect
        .poll(async () => (await tree.getByRole('treeitem').allTextContents()).slice(0, 4))
        .toEqual([
          'format: 2 read-only',
          expect.stringMatching(/^uid: ".+" read-only$/),
          `name: "${entity.name}"`,
          'description: "As it was"',
        ])
      await expect.poll(() => save.getAttribute('aria-disabled')).toBe('true')
      await expectShown(tool(page, 'Save'))
      for (const add of ['Add Attribute', 'Add Relationship']) expect(await tool(page, add).count()).toBe(0)
      await shoot(page, 'json-tree')
      await node(/^description/).focus()
      await page.keyboard.press('Enter')
      await page.keyboard.press('Control+a')
      await page.keyboard.type('As it is')
      await page.keyboard.press('Escape')
      await expectShown(node('description: "As it was"'))
      await type(node(/^description/), 'As it is')
      await expectShown(node('description: "As it is"'))
      expect(await node(/^description/).evaluate(row => row === document.activeElement)).toBe(true)
      await node(/^typeAttributes/).focus()
      await page.keyboard.press('ArrowRight')
      await expectShown(node(/^code ?\[1\]/))
      await node(/^code ?\[1\]/).focus()
      await page.keyboard.press('ArrowRight')
      await page.keyboard.press('ArrowRight')
      await shoot(page, 'json-tree-unfolded')
      await node(/^maxLength/).dblclick()
      await page.keyboard.type('40')
      await page.keyboard.press('Enter')
      await expectShown(node('maxLength: 40'))
      await node(/^unique/).dblclick()
      await page.getByRole('option', { name: 'true' }).click()
      await expectShown(node('unique: true'))

      const calls = record(page)
      await save.click()
      await expectShown(snackbar(page, 'Entity saved successfully!'))
      const changes = calls.filter(({ method }) => method !== 'GET')
      expect(changes.map(({ method, url }) => `${method} ${new URL(url).pathname}`)).toEqual([
        'PUT /1.0/cdm/admin/entity/content',
      ])
      expect(await stored(entity)).toMatchObject({
        description: 'As it is',
        typeAttributes: [{ name: 'id' }, { name: 'code', maxLength: 40, unique: true }, { name: 'size' }],
      })
    },
  )

  it(
    'stands in the administration only, and nobody else gets it by its address',
    holds('E2.70', 'E2.71', 'E6.3'),
    async () => {
      const entity = await open()
      for (const user of ['designer', 'admin'] as const) {
        const other = await openPage(desk.browser, desk.console.url)
        await other.page.goto('/')
        await other.page.getByRole('button', { name: user }).click()
        if (user === 'admin') {
          const acme = other.page.getByRole('listitem').filter({ hasText: 'ACME' })
          await acme.getByRole('button', { name: /Select/ }).click()
        }
        await expectShown(other.page.getByRole('tree', { name: 'Project Navigator' }))
        await other.page.goto(`/?entity=${entity.id}&tab=json`)
        const tabs = other.page.getByRole('tablist', { name: `Parts of ${entity.name}` }).getByRole('tab')
        await expect.poll(() => tabs.allTextContents()).toEqual(['Type Attributes3', 'Relationships0'])
        const headers = { 'X-Organisation-Code': 'ACME', 'If-Match': '*' }
        const data = { id: entity.id, content: JSON.stringify(await stored(entity)) }
        const answer = await other.page.request.put('/1.0/cdm/admin/entity/content', { headers, data })
        expect(answer.status()).toBe(user === 'admin' ? 200 : 403)
        await other.context.close()
      }
    },
  )

  it('says why a value is not taken, and what was typed can be had again', async () => {
    await open()
    await type(node(/^name/), 'a__b')
    const sentence =
      'this must contain only alphanumeric characters and underscores, with no consecutive underscores allowed.'
    await expectShown(tree.getByText(sentence))
    await shoot(page, 'json-tree-refused')
    await tree.getByRole('button', { name: 'Edit your input' }).click()
    await page.keyboard.press('Control+a')
    await page.keyboard.type('Renamed')
    await page.keyboard.press('Enter')
    await expectShown(node('name: "Renamed"'))
    await type(node(/^uid/), 'x')
    await expectShown(snackbar(page, 'A uid cannot be changed.'))
    await page.keyboard.press('Control+z')
    await expectShown(node(/^name: "Content_/))
  })

  it('adds and deletes items, keys and attributes where the content takes them', async () => {
    const entity = await open()
    await node(/^operationScopes/).focus()
    await page.keyboard.press('ArrowRight')
    await node(/^insertOperationScopes/).focus()
    await page.keyboard.press('Insert')
    await page.keyboard.type('shop.write')
    await page.keyboard.press('Enter')
    await expectShown(node('0: "shop.write"'))
    await expect.poll(() => node('0: "shop.write"').evaluate(row => row === document.activeElement)).toBe(true)

    await node(/^traits/).click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Add Item' }).click()
    await page.keyboard.insertText('{ "traitReference": "is.custom" }')
    await page.keyboard.press('Enter')
    await node(/^0 ?1 key/).focus()
    await page.keyboard.press('Insert')
    await page.keyboard.insertText('"arguments": [1, 2]')
    await page.keyboard.press('Enter')
    await expectShown(node(/^arguments ?2 items/))

    await node(/^typeAttributes/).focus()
    await page.keyboard.press('Insert')
    const added = dialog(page, 'New Type Attribute')
    await added.getByLabel('Name').fill('colour')
    await press(added, 'Finish')
    await expectShown(node(/^colour ?\[3\]/))
    await node(/^size ?\[2\]/).focus()
    await page.keyboard.press('Delete')
    await press(question(page, 'Delete Type Attributes?'), 'Delete')
    await expect.poll(() => node(/^size/).count()).toBe(0)
    await save.click()
    await expectShown(snackbar(page, 'Entity saved successfully!'))
    expect(await stored(entity)).toMatchObject({
      traits: [{ traitReference: 'is.custom', arguments: [1, 2] }],
      operationScopes: { insertOperationScopes: ['shop.write'] },
      typeAttributes: [{ name: 'id' }, { name: 'code' }, { name: 'colour' }],
    })
  })

  it('tells the same as the other tabs and the properties, in both directions', holds('E4.31'), async () => {
    const { name } = await open()
    const inTree = (entity: string) => nodeAt(page, 'Acme Trading', 'Manifests', 'Shop', 'Entities', entity)
    const before = page.getByRole('treeitem', { name, exact: true })
    await inTree(name)
    expect(await before.count()).toBe(1)
    await setText(page, 'Entity', 'Description', 'From the panel')
    await expectShown(node('description: "From the panel"'))
    await node(/^typeAttributes/).dblclick()
    await node(/^code ?\[1\]/).click()
    await setText(page, 'Type Attribute', 'Name', 'article_code')
    await expectShown(node(/^article_code ?\[1\]/))
    await type(node(/^name/), `${name}_renamed`)
    await page.getByRole('tab', { name: /^Type Attributes/ }).click()
    await expect.poll(() => names(page, 'Type attributes')).toEqual(['id', 'article_code', 'size'])
    await page.getByRole('tab', { name: 'Json', exact: true }).click()
    await save.click()
    await expectShown(snackbar(page, 'Entity saved successfully!'))
    await expectShown(entityDocument(page, `${name}_renamed`))
    await expectShown(await inTree(`${name}_renamed`))
    await expect.poll(() => before.count()).toBe(0)
    expect(await property(page, 'Entity', 'Name').getByRole('textbox').inputValue()).toBe(`${name}_renamed`)
  })
})

describe('What goes wrong', () => {
  it(
    'a refused save says the words of the server, else its own, and keeps what was written',
    holds('E8.5'),
    async () => {
      await open()
      await type(node(/^description/), 'Unstored')
      await page.route(/\/admin\/entity\/content\?/, route => route.fulfill({ status: 500, body: '' }))
      await save.click()
      await expectShown(page.getByRole('alert').getByText('Invalid entity json content', { exact: true }))
      await page.unrouteAll()
      await page.route(/\/admin\/entity\/content\?/, route =>
        route.fulfill({ status: 400, json: { message: 'Not today.', code: 'invalid' } }),
      )
      await save.click()
      await expectShown(page.getByRole('alert').getByText('Not today.', { exact: true }))
      await expectShown(node('description: "Unstored"'))
    },
  )

  it('what others changed meanwhile is merged, or shown as a conflict', async () => {
    const entity = await open()
    await type(node(/^description/), 'Mine')
    await page.request.put(`/1.0/cdm/entity/${entity.id}`, {
      headers: { 'X-Organisation-Code': 'ACME', 'If-Match': '*' },
      data: { entity: { name: entity.name, description: 'Theirs', typeAttributes: [], entityAttributes: [] } },
    })
    await save.click()
    await page.getByRole('button', { name: /^Keep/ }).click()
    await expectShown(snackbar(page, 'Entity saved successfully!'))
    expect(await stored(entity)).toMatchObject({ description: 'Mine', typeAttributes: [] })
  })

  it('what was made for a version that is the latest no longer is refused, and goes into the new one when it is saved again', async () => {
    const entity = await open()
    await type(node(/^description/), 'Made for 1.0.0')
    await send(page, 'POST', `/1.0/cdm/entity/custom/${entity.id}/version?version=1.0.1`)
    await page.keyboard.press('Control+s')
    await expectShown(page.getByRole('alert').getByText('Only the latest version can be edited.'))
    expect(await stored(entity)).toMatchObject({ description: 'As it was' })
    await expectShown(entityDocument(page, entity.name).getByText('1.0.1').first())
    await expectShown(node('description: "Made for 1.0.0"'))
    await page.keyboard.press('Control+s')
    await expectShown(snackbar(page, 'Entity saved successfully!'))
    expect(await stored(entity)).toMatchObject({ description: 'Made for 1.0.0' })
  })
})
