// One call of the AI SDK: node ai_sdk.mjs MODULES '{"url", "model", "messages", "stream"}'.
// Prints each part of the answer as a line of JSON.
import { createRequire } from 'node:module'

const [modules, asked] = process.argv.slice(2)
const require = createRequire(modules + '/')
const { generateText, streamText } = require('ai')
const { createOpenAICompatible } = require('@ai-sdk/openai-compatible')

const { url, model, messages, stream, apiKey = 'unused' } = JSON.parse(asked)
const laios = createOpenAICompatible({ name: 'laios', baseURL: url + '/v1', apiKey, includeUsage: true })
const options = { model: laios(model), messages, maxRetries: 0 }
const told = (error) => ({ message: error.message, status: error.statusCode, name: error.name })
const print = (part) => console.log(JSON.stringify(part))

try {
  if (stream) {
    for await (const part of streamText({ ...options, onError() {} }).fullStream)
      print(part.type === 'error' ? { type: 'error', error: told(part.error) } : part)
  } else {
    const { text, reasoningText, usage, finishReason } = await generateText(options)
    print({ type: 'text', text, reasoningText, usage, finishReason })
  }
} catch (error) {
  print({ type: 'error', error: told(error) })
}
