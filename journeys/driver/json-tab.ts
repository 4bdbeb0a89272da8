import type { Locator, Page } from 'playwright-core'
import { apiOf } from './api.ts'
import { enter } from './sign-in.ts'
import { dialog, expectShown } from './widgets.ts'

type EntityRef = { id: number; name: string }

let count = 0

/** The Json tab of an entity in the administration; requires a signed-in administrator. */
export function jsonTabOn(page: Page) {
  const tree = page.getByRole('tree', { name: /^Content of / })
  const source = dialog(page, 'Edit Source')
  const text = source.getByRole('textbox', { name: /^JSON of / })
  /** Waits until the editor of a value has the focus, which a closing menu may take for a moment. */
  async function expectEditing(): Promise<void> {
    await page.getByRole('menu').waitFor({ state: 'detached' })
    await tree.locator('textarea:focus').waitFor()
  }
  return {
    tree,
    /** The first row with this text. */
    node: (hasText: string | RegExp): Locator => tree.getByRole('treeitem').filter({ hasText }).first(),
    save: page.getByRole('tabpanel', { name: 'Json' }).getByRole('button', { name: 'Save', exact: true }),
    source,
    text,
    /** Creates an entity in Shop and opens its Json tab. */
    async open(typeAttributes: { name: string }[] = [{ name: 'code' }, { name: 'size' }]): Promise<EntityRef> {
      count += 1
      const definition = { name: `Content_${count}`, description: 'As it was', typeAttributes }
      const api = apiOf(page)
      const entity = await api.createEntity(definition, await api.manifestNamed('Shop'))
      // Within the page, leaving unsaved changes would require confirmation.
      await page.goto(`/admin?org=ACME&entity=${entity.id}&tab=json`)
      await expectShown(tree)
      return entity
    },
    async editSource(): Promise<void> {
      await page.getByRole('button', { name: 'Edit Source' }).click()
      await expectShown(text)
    },
    /** Replaces the text in the editor at once, like pasting. */
    async write(json: string): Promise<void> {
      await text.focus()
      await page.keyboard.press('Control+a')
      await page.keyboard.insertText(json)
    },
    /** The entity content stored on the server. */
    async stored({ id }: EntityRef): Promise<Record<string, unknown>> {
      return Object(JSON.parse((await apiOf(page).entityOf(id)).content))
    },
    expectEditing,
    /** Edits the value of a row by keyboard. */
    async type(row: Locator, value: string): Promise<void> {
      await row.focus()
      await page.keyboard.press('F2')
      await expectEditing()
      await page.keyboard.press('Control+a')
      await page.keyboard.insertText(value)
      await page.keyboard.press('Enter')
    },
  }
}

/** Signs an administrator in without an organisation. */
export async function signInAsAdmin(page: Page): Promise<void> {
  await enter(page, 'admin', '/admin')
  await expectShown(page.getByRole('tree', { name: 'Organisations' }))
}
