import { createToken } from '@cadmus/model/contract/token'
import { Browser } from './browser.ts'
import { ConsoleClient } from './client.ts'
import { signInAs } from './console.ts'
import { tokenBody } from './personal-tokens.ts'

// A separate program for measurements: `node designer-token.ts <url of a console> <organisation>` prints an access token of the designer.

const [url = '', organisation = 'ACME'] = process.argv.slice(2)
const { browser, userId } = await signInAs(new Browser(url), 'designer')
const { secret } = await new ConsoleClient(browser, userId, organisation).call(createToken, { body: tokenBody() })
process.stdout.write(secret)
