//! Answers messages, where the program cannot call.

use crate::answers::Subject;
use crate::wire::Message;

/// What was built last.
#[derive(Debug, Default)]
pub struct Server {
    subject: Option<Subject>,
}

impl Server {
    /// To a level or a build 0, to rays the digest of their answers.
    ///
    /// # Errors
    /// What is wrong with the message.
    pub fn answer(&mut self, message: &[u8]) -> Result<u64, String> {
        match Message::decode(message).ok_or("this is no message")? {
            Message::Level(level) => {
                level.select().map_err(|error| error.to_string())?;
                Ok(0)
            }
            Message::Build(quality, content) => {
                // Not both at the same time.
                self.subject = None;
                self.subject = Some(Subject::new(&content, quality)?);
                Ok(0)
            }
            Message::Cast(first, rays) => {
                let subject = self.subject.as_ref().ok_or("there is nothing to cast rays at")?;
                let digest = subject.digest(first, &rays);
                if subject.digest_in_batches(first, &rays) != digest {
                    return Err("a batch is answered otherwise than its rays alone".into());
                }
                Ok(digest.0)
            }
        }
    }
}
