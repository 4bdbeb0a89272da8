import type { TestInstance } from './instance.ts'

/** Number of records of 5 MB that fit in one answer. */
const atOnce = 12

/**
 * Inserts identical customers into the package `shop`, several per request, because parsing each large record would
 * dominate the duration of a test.
 */
export async function insertCustomers(instance: TestInstance, record: object, count: number): Promise<void> {
  const inserts = Array.from({ length: Math.min(count, atOnce) }, (_, at) => {
    return `c${at}: insertCustomer(record: $record) { id }`
  })
  const query = `mutation ($record: CustomerInsert!) { ${inserts.join(' ')} }`
  const answer = await instance.fetch('/graphql/shop/1.0', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query, variables: { record } }),
  })
  // An unread answer would count towards the limit.
  const text = await answer.text()
  if (!answer.ok || text.includes('"errors"')) throw new Error(text)
  if (count > atOnce) await insertCustomers(instance, record, count - atOnce)
}
