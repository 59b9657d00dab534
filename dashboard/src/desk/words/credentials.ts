const titles: Readonly<Record<string, string>> = {
  apiKey: 'API key',
  apiUser: 'API user',
  password: 'Password',
  secretKey: 'Secret key',
  subscriptionKey: 'Subscription key',
  systemId: 'System id',
  targetEnvironment: 'Target environment',
  webhookSecret: 'Webhook secret',
}

/** What a supplier's or a payment gateway's credential is called on the screen. The command line takes its name as it is. */
export const credentialTitle = (name: string): string => titles[name] ?? name
