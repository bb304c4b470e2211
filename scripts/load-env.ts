import { existsSync } from "node:fs";

// Imported first: .env is loaded before anything reads the environment.
if (existsSync(".env")) process.loadEnvFile(".env");
