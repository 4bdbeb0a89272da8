import { propertiesOf, type TestDatabase } from './databases.ts'
import { startTestInstance, type TestInstance } from './instance.ts'
import { packageZip } from './package-zip.ts'

/** An instance that serves a model as the package `shop`, over a database of its own. */
export type ServedModel = {
  readonly instance: TestInstance
  /** Publishes a version of the model and waits for its start. */
  publish(model: object, version: string): ReturnType<TestInstance['settled']>
  /** Stops the instance and drops the database. */
  stop(): Promise<void>
}

/** Serves version 1.0.0 of a model over a new database. */
export async function serveModel(create: () => Promise<TestDatabase>, model: object): Promise<ServedModel> {
  const database = await create()
  const instance = await startTestInstance()
  const publish = async (content: object, version: string) => {
    const files = { 'resources/cadmus/model.json': JSON.stringify({ ...content, version }) }
    await instance.upload(packageZip({ version, properties: propertiesOf(database.settings), files }))
    return instance.settled('shop')
  }
  await publish(model, '1.0.0')
  return {
    instance,
    publish,
    stop: async () => {
      await instance.stop()
      await database.drop()
    },
  }
}
